import { describe, expect, test } from 'vitest';
import { leaderStory } from '../../src/lib/leader';
import type { Leader } from '../../src/lib/types';

const now = Date.UTC(2026, 10, 30, 12);
const follower: Leader = {
  pod: 'b',
  standing: 'follower',
  provider: 'redis',
  holder: { pod: 'a', since: '2026-11-30T11:59:00.000Z' },
  term: 3,
  ttlLeftMs: 12_000,
  outage: null,
  abstainsUntil: null,
  standsBack: null,
  waitsUntil: null,
  timersPaused: false,
};
const outage = { since: '2026-11-30T11:58:00.000Z', class: 'refused', detail: 'connection refused' };

describe('the banner says', () => {
  test('who leads, and since when', () =>
    expect(leaderStory(follower, now)).toMatchObject({ title: 'a leads', tone: 'good', since: now - 60_000 }));
  test('that a pod elects itself, with the reason and its begin', () => {
    const story = leaderStory({ ...follower, standing: 'self_appointed', outage }, now);
    expect(story).toMatchObject({ title: 'b elects itself', tone: 'warn', since: now - 120_000 });
    expect(story.detail).toMatch(/^Redis does not answer since \d\d:58:00: connection refused$/);
  });
  test('that nobody leads, though the last holder is still named', () =>
    expect(
      leaderStory({ ...follower, standing: 'unknown', waitsUntil: '2026-11-30T12:00:09.000Z' }, now),
    ).toMatchObject({ title: 'Nobody leads yet', tone: 'warn' }));
  test('that the leader has fallen silent, before another leads', () =>
    expect(leaderStory(follower, now, true)).toMatchObject({
      title: 'a leads',
      tone: 'warn',
      detail: expect.stringContaining('a has fallen silent'),
    }));
  test('that there is no election', () =>
    expect(leaderStory({ ...follower, standing: 'single', holder: null }, now).title).toBe('b runs alone'));
  test('why a pod stands back', () =>
    expect(leaderStory({ ...follower, standsBack: 'a sees /media' }, now).detail).toContain('a sees /media'));
});
