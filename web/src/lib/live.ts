import { useEffect, useState } from 'preact/hooks';
import { ApiError, read } from './api';
import { makeStore, type Store } from './store';

/** What is known of an address: the last good value, and what went wrong since. */
export interface Reading<T> {
  value?: T;
  error?: ApiError;
}

/** `down`: no answer. `impaired`: the server answers that it cannot (its database is away). */
export type Connection = { state: 'up' } | { state: 'down' | 'impaired'; since: number; reason: string };

/** Values that keep themselves up to date. Polling does it; a socket can take its place behind this. */
export interface Live {
  readonly connection: Store<Connection>;
  watch<T>(path: string, listener: (reading: Reading<T>) => void, periodMs?: number): () => void;
  last<T>(path: string): Reading<T>;
  /** After an action: ask for everything that is watched now, or for one address alone. */
  refresh(path?: string): void;
}

interface Topic {
  reading: Reading<unknown>;
  listeners: Map<(reading: Reading<never>) => void, number>; // and how often each wants to know
  asked: number;
  busy: boolean;
  again: boolean;
}

export const visiblePeriodMs = 2_000;
export const hiddenPeriodMs = 30_000;
const keptTopics = 60; // that nobody watches: going back to a page shows what was there

export class PollingLive implements Live {
  readonly connection = makeStore<Connection>({ state: 'up' });
  private readonly topics = new Map<string, Topic>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly get: (path: string) => Promise<unknown> = read,
    private readonly hidden: () => boolean = () => document.hidden,
  ) {}

  watch<T>(path: string, listener: (reading: Reading<T>) => void, periodMs = visiblePeriodMs): () => void {
    const topic = this.topic(path);
    topic.listeners.set(listener as never, periodMs);
    this.plan(0);
    return () => {
      topic.listeners.delete(listener as never);
      this.forget();
    };
  }

  last<T>(path: string): Reading<T> {
    return (this.topics.get(path)?.reading ?? {}) as Reading<T>;
  }

  refresh(path?: string): void {
    for (const [name, topic] of this.topics) {
      if (path !== undefined && name !== path) continue;
      topic.asked = 0;
      if (topic.busy) topic.again = true;
    }
    this.plan(0);
  }

  /** Another person logs in: nothing of what the last one saw is left. */
  clear(): void {
    this.topics.clear();
    this.connection.set({ state: 'up' });
  }

  private topic(path: string): Topic {
    let topic = this.topics.get(path);
    if (!topic) {
      topic = { reading: {}, listeners: new Map(), asked: 0, busy: false, again: false };
      this.topics.set(path, topic);
    }
    return topic;
  }

  private forget(): void {
    const idle = [...this.topics].filter(([, topic]) => topic.listeners.size === 0);
    for (const [path] of idle.slice(0, Math.max(0, idle.length - keptTopics))) this.topics.delete(path);
  }

  private plan(inMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), inMs);
  }

  private look(): void {
    const now = Date.now();
    let next = Infinity;
    for (const [path, topic] of this.topics) {
      if (topic.listeners.size === 0) continue;
      const wanted = Math.min(...topic.listeners.values());
      const period = topic.reading.error ? Math.min(wanted, 5_000) : wanted;
      const due = topic.asked + (this.hidden() ? Math.max(period, hiddenPeriodMs) : period);
      if (due <= now && !topic.busy) void this.fetch(path, topic);
      else next = Math.min(next, Math.max(due - now, 50));
    }
    if (next < Infinity) this.plan(next);
  }

  private async fetch(path: string, topic: Topic): Promise<void> {
    topic.busy = true;
    topic.asked = Date.now();
    try {
      topic.reading = { value: await this.get(path) };
    } catch (error) {
      const problem = error instanceof ApiError ? error : new ApiError(-1, String(error));
      topic.reading = { value: topic.reading.value, error: problem };
    }
    topic.busy = false;
    if (topic.again) topic.asked = 0;
    topic.again = false;
    if (this.topics.get(path) !== topic) return; // cleared meanwhile
    this.judge();
    for (const listener of [...topic.listeners.keys()]) listener(topic.reading as Reading<never>);
    this.plan(50);
  }

  /** The server is down where no watched address is answered, impaired where it says itself that it cannot. */
  private judge(): void {
    const watched = [...this.topics.values()].filter((topic) => topic.listeners.size > 0);
    const failed = watched.flatMap((topic) => (topic.reading.error ? [topic.reading.error] : []));
    const silent = failed.find((error) => error.status === 0 || error.status === 502);
    const unable = failed.find((error) => error.status === 503 || error.status === 504);
    const state = silent ? 'down' : unable ? 'impaired' : 'up';
    const before = this.connection.get();
    if (state === 'up') {
      if (before.state !== 'up') this.connection.set({ state });
      return;
    }
    const since = before.state === 'up' ? Date.now() : before.since;
    const reason = (silent ?? unable)!.message;
    if (before.state !== state || before.reason !== reason) this.connection.set({ state, since, reason });
  }
}

export const live = new PollingLive();
if (typeof document !== 'undefined') {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) live.refresh();
  });
}

/** The latest reading of an address; null watches nothing. */
export function useLive<T>(path: string | null, periodMs?: number): Reading<T> {
  const [reading, setReading] = useState<{ path: string | null; got: Reading<T> }>({ path: null, got: {} });
  useEffect(() => {
    if (path === null) return;
    return live.watch<T>(path, (got) => setReading({ path, got }), periodMs);
  }, [path, periodMs]);
  if (path === null) return {};
  return reading.path === path ? reading.got : live.last<T>(path);
}
