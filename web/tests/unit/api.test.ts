import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, ask } from '../../src/lib/api';
import { farewell, session, type Session } from '../../src/lib/session';

const ann: Session = { token: 'a', name: 'Ann', kind: 'user' };
const again: Session = { token: 'b', name: 'Ann', kind: 'user' };
let answer: (response: Response) => void;

beforeEach(() => {
  session.end();
  vi.stubGlobal('navigator', { userAgent: 'Firefox on Linux' });
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
});
afterEach(() => void vi.unstubAllGlobals());

async function refuse(asked: Promise<Response>, status = 401): Promise<void> {
  answer(new Response('no', { status, headers: { 'Content-Type': 'text/plain' } }));
  await expect(asked).rejects.toEqual(new ApiError(status, 'no'));
}

test('a token that is no longer known ends the log-in and says so', async () => {
  session.begin(ann, false);
  await refuse(ask('Users/Me'));
  expect(session.get()).toBe(null);
  expect(farewell.get()).toContain('has ended');
});

test('what comes late of an old log-in does not end a new one', async () => {
  session.begin(ann, false);
  const late = ask('Users/Me');
  session.end();
  session.begin(again, false);
  await refuse(late);
  expect(session.get()).toBe(again);
  expect(farewell.get()).toBe('');
});

test('nor does what was asked as somebody else, nor another refusal', async () => {
  session.begin(ann, false);
  await refuse(ask('Auth/Keys', { as: again }));
  await refuse(ask('Users/Me', { as: null }));
  await refuse(ask('Auth/Keys'), 403);
  expect(session.get()).toBe(ann);
});
