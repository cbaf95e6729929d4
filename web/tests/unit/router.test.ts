import { expect, test } from 'vitest';
import { reasonOf } from '../../src/lib/api';
import { href, parseRoute } from '../../src/lib/router';

test('an address says page, id and filters, and goes both ways', () => {
  expect(parseRoute('')).toEqual({ page: 'now', id: '', params: {} });
  expect(parseRoute('#/items/ab%20c?page=2&q=a%26b')).toEqual({
    page: 'items',
    id: 'ab c',
    params: { page: '2', q: 'a&b' },
  });
  expect(href('items', 'ab c', { q: 'a&b', page: 2, sort: '', type: undefined })).toBe('#/items/ab%20c?q=a%26b&page=2');
  expect(parseRoute('#/items/%zz').id).toBe('%zz');
});

test('a refusal is told in the server’s own words', () => {
  expect(reasonOf(409, 'text/plain; charset=utf-8', 'This pod does not lead.')).toBe('This pod does not lead.');
  expect(reasonOf(400, 'application/problem+json', '{"detail":"d","errors":{"limit":["limit: 0 is not valid"]}}')).toBe(
    'limit: 0 is not valid',
  );
  expect(reasonOf(404, 'application/json', '{}')).toBe('The server does not know this address.');
  expect(reasonOf(500, 'application/json', '{')).toBe('The server answered 500.');
});
