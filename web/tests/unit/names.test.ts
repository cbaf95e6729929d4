import { expect, test } from 'vitest';
import { groupSkips, skipText } from '../../src/lib/names';
import type { Skip } from '../../src/lib/types';

const skip = (pod: string, more: Partial<Skip> = {}): Skip => ({
  task: 'A',
  slot: 's',
  pod,
  at: 't',
  reason: 'not_leader',
  holder: 'pod-3',
  ...more,
});

test('what several pods passed over is told once', () => {
  const told = groupSkips([
    skip('pod-2'),
    skip('pod-1'),
    skip('pod-1', { slot: 's2', reason: 'claimed' }),
    skip('pod-1'),
  ]).map(skipText);
  expect(told).toEqual(['pod-1 and pod-2 do not lead; pod-3 did', 'pod-1 was too late: pod-3 had claimed it']);
  expect(skipText({ ...skip('a', { reason: 'paused' }), pods: ['a', 'b', 'c'] })).toBe(
    'a, b and c found all timers paused',
  );
  expect(skipText({ ...skip('a', { holder: null }), pods: ['a'] })).toBe('a does not lead');
});
