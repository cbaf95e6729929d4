import { describe, expect, test } from 'vitest';
import { gapText, leadChanges, terms } from '../../src/lib/leads';
import type { Lead } from '../../src/lib/types';

const start = Date.UTC(2026, 10, 30, 12);
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const lead = (pod: string, began: number, seen: number, ended: number | null, gapMs: number | null): Lead => ({
  pod,
  term: 1,
  beganAt: at(began),
  seenAt: at(seen),
  endedAt: ended === null ? null : at(ended),
  gapMs,
});
// a fell silent at 20, b led from 35 to 50 and let go, c goes on
const history = [lead('c', 50, 58, null, 0), lead('b', 35, 50, 50, 15_000), lead('a', 0, 20, null, null)];

describe('the history of who led', () => {
  test('shows the gap after a pod that fell silent, and none after one that let go', () =>
    expect(terms(history, start + 60_000)).toEqual([
      { pod: 'a', from: start, until: start + 20_000 },
      { pod: null, from: start + 20_000, until: start + 35_000 },
      { pod: 'b', from: start + 35_000, until: start + 50_000 },
      { pod: 'c', from: start + 50_000, until: start + 60_000 },
    ]));
  test('ends with nobody where the newest has let go', () =>
    expect(terms([lead('a', 0, 20, 20, null)], start + 60_000).at(-1)).toEqual({
      pod: null,
      from: start + 20_000,
      until: start + 60_000,
    }));
  test('is empty where there is no election', () => expect(terms([], start)).toEqual([]));
  test('tells each change with its gap', () => {
    const changes = leadChanges(history);
    expect(changes[0]).toMatchObject({ pod: 'c', before: 'b', silent: false, gapMs: 0 });
    expect(changes[1]).toMatchObject({ pod: 'b', before: 'a', silent: true, gapMs: 15_000 });
    expect(changes[2]).toMatchObject({ pod: 'a', before: null, gapMs: null });
    expect(changes.map(gapText)).toEqual(['gap 0 s', 'gap up to 15 s', '']);
  });
});
