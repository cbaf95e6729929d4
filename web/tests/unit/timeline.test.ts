import { expect, test } from 'vitest';
import { median } from '../../src/pages/history/median';
import { axisTicks, lanes, takeOvers, tookMs } from '../../src/lib/timeline';
import type { Run } from '../../src/lib/types';

const iso = (ms: number) => new Date(ms).toISOString();
function run(id: string, pod: string, start: number, end: number | null, more: Partial<Run> = {}): Run {
  return {
    runId: id,
    task: 'RefreshLibrary',
    kind: 'timer',
    slot: null,
    pod,
    epoch: 1,
    state: end === null ? 'running' : 'completed',
    progress: 0,
    rate: null,
    leftMs: null,
    startedAt: iso(start),
    heartbeatAt: iso(end ?? start),
    endedAt: end === null ? null : iso(end),
    counts: {},
    warnings: [],
    error: null,
    waitingFor: null,
    notBefore: null,
    resumedFrom: null,
    ...more,
  };
}

test('runs lie in the lane of their pod, cut to the window', () => {
  const rows = lanes(
    [run('1', 'pod-10', 0, 50), run('2', 'pod-2', 150, null), run('3', 'pod-2', 300, 400), run('4', 'pod-2', 0, 10)],
    50,
    250,
    ['pod-3'],
  );
  expect(rows.map((lane) => lane.pod)).toEqual(['pod-2', 'pod-3', 'pod-10']);
  expect(rows[0]!.bars).toMatchObject([{ run: { runId: '2' }, left: 50, width: 50 }]);
  expect(rows[1]!.bars).toEqual([]);
  expect(rows[2]!.bars).toMatchObject([{ left: 0, width: 0 }]);
});

test('a take-over counts its gap from the last sign of life', () => {
  const lost = run('1', 'a', 0, 60_000, { state: 'aborted', heartbeatAt: iso(20_000) });
  const given = run('2', 'b', 70_000, 80_000, { state: 'yielded', resumedFrom: '1' });
  const last = run('3', 'c', 81_000, 90_000, { resumedFrom: '2' });
  const orphan = run('4', 'c', 91_000, 92_000, { resumedFrom: 'gone' });
  expect(takeOvers([orphan, last, given, lost])).toEqual([
    { task: 'RefreshLibrary', from: 'b', to: 'c', lostAt: 80_000, at: 81_000, gapMs: 1_000, yielded: true },
    { task: 'RefreshLibrary', from: 'a', to: 'b', lostAt: 20_000, at: 70_000, gapMs: 50_000, yielded: false },
  ]);
});

test('a run that lives takes time until now', () => {
  expect(tookMs(run('1', 'a', 1_000, null), 4_000)).toBe(3_000);
  expect(tookMs(run('1', 'a', 1_000, 2_500), 4_000)).toBe(1_500);
  expect(tookMs({ ...run('1', 'a', 0, null), startedAt: null }, 4_000)).toBeNull();
});

test('an axis has few ticks, at round times', () => {
  const day = 86_400_000,
    until = Date.UTC(2026, 10, 30, 12, 7);
  for (const span of [15 * 60_000, day / 24, day / 4, day, 7 * day]) {
    const ticks = axisTicks(until - span, until);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.every((at) => at % 60_000 === 0 && at >= until - span && at < until)).toBe(true);
  }
});

test('the median stands in the middle', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 9, 2])).toBe(3);
  expect(median([])).toBeNaN();
});
