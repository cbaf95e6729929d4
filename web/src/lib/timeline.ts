import type { Run } from './types';

/** A run on a time axis; `left` and `width` in percent of the window. */
export interface Bar {
  run: Run;
  left: number;
  width: number;
}
export interface Lane {
  pod: string;
  bars: Bar[];
}
/** A run that went on from one that its pod lost or gave up. */
export interface TakeOver {
  task: string;
  from: string;
  to: string;
  lostAt: number; // the last sign of life of the old run
  at: number;
  gapMs: number;
  yielded: boolean;
}

export function endOf(run: Run, now: number): number {
  if (run.endedAt) return Date.parse(run.endedAt);
  return run.state === 'running' || run.state === 'cancelling'
    ? now
    : Date.parse(run.heartbeatAt ?? run.startedAt ?? '');
}

export function tookMs(run: Run, now: number): number | null {
  return run.startedAt ? Math.max(0, endOf(run, now) - Date.parse(run.startedAt)) : null;
}

/** One lane a pod, in the order of their names; runs that lie in the window alone. */
export function lanes(runs: readonly Run[], from: number, until: number, pods: readonly string[] = []): Lane[] {
  const byPod = new Map<string, Bar[]>(pods.map((pod) => [pod, []]));
  const span = until - from;
  for (const run of runs) {
    if (!run.startedAt || !run.pod) continue;
    const start = Date.parse(run.startedAt),
      end = endOf(run, until);
    if (end < from || start > until) continue;
    const left = ((Math.max(start, from) - from) / span) * 100;
    const right = ((Math.min(end, until) - from) / span) * 100;
    const bars = byPod.get(run.pod) ?? [];
    bars.push({ run, left, width: Math.max(0, right - left) });
    byPod.set(run.pod, bars);
  }
  const order = new Intl.Collator('en', { numeric: true });
  return [...byPod].sort(([a], [b]) => order.compare(a, b)).map(([pod, bars]) => ({ pod, bars }));
}

/** Newest first. */
export function takeOvers(runs: readonly Run[]): TakeOver[] {
  const byId = new Map(runs.filter((run) => run.runId).map((run) => [run.runId!, run]));
  return runs.flatMap((run) => {
    const old = run.resumedFrom ? byId.get(run.resumedFrom) : undefined;
    if (!old || !run.startedAt || !old.pod || !run.pod) return [];
    const lostAt = Date.parse(
      (old.state === 'aborted' ? old.heartbeatAt : old.endedAt) ?? old.endedAt ?? old.startedAt!,
    );
    const at = Date.parse(run.startedAt);
    return [
      {
        task: run.task,
        from: old.pod,
        to: run.pod,
        lostAt,
        at,
        gapMs: Math.max(0, at - lostAt),
        yielded: old.state === 'yielded',
      },
    ];
  });
}

/** Round times for an axis: at most `most` of them between the ends. */
export function axisTicks(from: number, until: number, most = 6): number[] {
  const steps = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080].map((minutes) => minutes * 60_000);
  const step = steps.find((each) => (until - from) / each <= most) ?? steps.at(-1)!;
  const shift = new Date(until).getTimezoneOffset() * 60_000;
  const ticks: number[] = [];
  for (let at = Math.ceil((from - shift) / step) * step + shift; at < until; at += step) ticks.push(at);
  return ticks;
}
