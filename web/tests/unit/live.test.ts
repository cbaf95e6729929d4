import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../src/lib/api';
import { hiddenPeriodMs, PollingLive, toldPeriodMs, visiblePeriodMs } from '../../src/lib/live';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function house() {
  const asked: string[] = [];
  const state = { hidden: false, answer: (async () => asked.length) as (path: string) => Promise<unknown> };
  const live = new PollingLive(
    async (path) => {
      asked.push(path);
      return state.answer(path);
    },
    () => state.hidden,
  );
  return { live, asked, state };
}

test('asks at once, then at the pace that is wanted, and no more when nobody looks', async () => {
  const { live, asked } = house();
  const stop = live.watch('a', () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(2 * visiblePeriodMs + 300);
  expect(asked.length).toBe(3);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(3);
});

test('a hidden page asks seldom', async () => {
  const { live, asked, state } = house();
  state.hidden = true;
  live.watch('a', () => undefined);
  await vi.advanceTimersByTimeAsync(hiddenPeriodMs - 1_000);
  expect(asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked.length).toBe(2);
});

test('two that watch one address share its requests, at the faster pace', async () => {
  const { live, asked } = house();
  live.watch('a', () => undefined, 60_000);
  live.watch('a', () => undefined, 1_000);
  await vi.advanceTimersByTimeAsync(3_200);
  expect(asked.length).toBeGreaterThanOrEqual(3);
  expect(asked.length).toBeLessThanOrEqual(4);
});

test('an action is seen at once, even if an older request is still under way', async () => {
  const { live, asked, state } = house();
  const seen: unknown[] = [];
  let answer: (value: unknown) => void = () => undefined;
  state.answer = () => new Promise((resolve) => (answer = resolve));
  live.watch('a', ({ value }) => seen.push(value), 60_000);
  await vi.advanceTimersByTimeAsync(0);
  live.refresh();
  await vi.advanceTimersByTimeAsync(0);
  answer('old');
  await vi.advanceTimersByTimeAsync(100);
  answer('new');
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(['old', 'new']);
  expect(asked.length).toBe(2);
});

test('keeps the last value while the server is silent, says since when, and goes on by itself', async () => {
  const { live, state } = house();
  const seen: { value?: unknown; error?: ApiError }[] = [];
  state.answer = async () => 'good';
  live.watch('a', (reading) => seen.push(reading));
  await vi.advanceTimersByTimeAsync(0);
  state.answer = async () => {
    throw new ApiError(0, 'The server does not answer.');
  };
  await vi.advanceTimersByTimeAsync(visiblePeriodMs + 100);
  const since = Date.now();
  expect(seen.at(-1)).toMatchObject({ value: 'good', error: { status: 0 } });
  expect(live.connection.get()).toMatchObject({ state: 'down', reason: 'The server does not answer.' });
  await vi.advanceTimersByTimeAsync(5 * visiblePeriodMs);
  expect((live.connection.get() as { since: number }).since).toBeLessThanOrEqual(since);
  state.answer = async () => {
    throw new ApiError(503, 'the database is away');
  };
  await vi.advanceTimersByTimeAsync(visiblePeriodMs + 200);
  expect(live.connection.get()).toMatchObject({ state: 'impaired', reason: 'the database is away' });
  state.answer = async () => 'back';
  await vi.advanceTimersByTimeAsync(visiblePeriodMs + 200);
  expect(live.connection.get()).toEqual({ state: 'up' });
  expect(seen.at(-1)).toEqual({ value: 'back' });
});

test('a refusal is no outage', async () => {
  const { live, state } = house();
  state.answer = async () => {
    throw new ApiError(404, 'no such thing');
  };
  live.watch('a', () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(live.connection.get()).toEqual({ state: 'up' });
});

test('asks seldom for what the socket tells of, at once when it does, and as before when it is gone', async () => {
  const { live, asked } = house();
  live.watch('ScheduledTasks', () => undefined);
  live.watch('cluster/leader', () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  live.listening(true);
  await vi.advanceTimersByTimeAsync(100);
  const of = (path: string) => asked.filter((each) => each === path).length;
  expect([of('ScheduledTasks'), of('cluster/leader')]).toEqual([2, 2]);
  await vi.advanceTimersByTimeAsync(toldPeriodMs - 1_000);
  expect(of('ScheduledTasks')).toBe(2);
  expect(of('cluster/leader')).toBeGreaterThanOrEqual(5);
  live.stale(['ScheduledTasks', 'cluster/runs']);
  await vi.advanceTimersByTimeAsync(0);
  expect(of('ScheduledTasks')).toBe(3);
  live.listening(false);
  await vi.advanceTimersByTimeAsync(2 * visiblePeriodMs + 300);
  expect(of('ScheduledTasks')).toBe(6);
});

test('many events are one request', async () => {
  const { live, asked } = house();
  live.watch('ScheduledTasks', () => undefined, 60_000);
  live.listening(true);
  await vi.advanceTimersByTimeAsync(600);
  const before = asked.length;
  for (let i = 0; i < 50; ++i) live.stale(['ScheduledTasks']);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.length).toBe(before + 1);
  for (let i = 0; i < 50; ++i) live.stale(['ScheduledTasks']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.length).toBe(before + 2);
});

test('one address that is silent is no outage while others are answered', async () => {
  const { live, state } = house();
  state.answer = async (path) => {
    if (path === 'slow') await new Promise((resolve) => setTimeout(resolve, 15_000));
    if (path === 'slow') throw new ApiError(0, 'The server did not answer in time.');
    return 'good';
  };
  live.watch('slow', () => undefined);
  live.watch('a', () => undefined);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(live.connection.get()).toEqual({ state: 'up' });
  state.answer = async () => {
    throw new ApiError(0, 'The server does not answer.');
  };
  await vi.advanceTimersByTimeAsync(visiblePeriodMs + 100);
  expect(live.connection.get()).toMatchObject({ state: 'down' });
});
