import { useEffect, useState } from 'preact/hooks';
import { address, ApiError, read } from './api';
import { Concerns, EventSocket, isTold } from './event_socket';
import { session, socketQuery, type Session } from './session';
import { makeStore, type Store } from './store';

/** What is known of an address: the last good value, and what went wrong since. */
export interface Reading<T> {
  value?: T;
  error?: ApiError;
}

/** `down`: no answer. `impaired`: the server answers that it cannot (its database is away). */
export type Connection = { state: 'up' } | { state: 'down' | 'impaired'; since: number; reason: string };

/** Values that keep themselves up to date: asked again when the event socket says so, and every so often besides. */
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
  stale: boolean;
}

export const visiblePeriodMs = 2_000;
export const hiddenPeriodMs = 30_000;
export const toldPeriodMs = 10_000; // of what the socket tells of, while it is open
const leastPauseMs = 500; // between two requests for one address, however many events come
const keptTopics = 60; // that nobody watches: going back to a page shows what was there

export class PollingLive implements Live {
  readonly connection = makeStore<Connection>({ state: 'up' });
  private readonly topics = new Map<string, Topic>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private told = false;
  private answeredAt = 0; // when an answer came last

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

  /** Is the socket open? Without it everything is polled. */
  listening(open: boolean): void {
    this.told = open;
    this.refresh(); // what happened in between nobody told
  }

  /** Something has changed behind the addresses that begin so. */
  stale(starts: string[]): void {
    for (const [name, topic] of this.topics) {
      if (!starts.some((start) => name.startsWith(start))) continue;
      topic.stale = true;
      if (topic.busy) topic.again = true;
    }
    this.plan(0);
  }

  /** Another person logs in: nothing of what the last one saw is left. */
  clear(): void {
    this.topics.clear();
    this.answeredAt = 0;
    this.connection.set({ state: 'up' });
  }

  private topic(path: string): Topic {
    let topic = this.topics.get(path);
    if (!topic) {
      topic = { reading: {}, listeners: new Map(), asked: 0, busy: false, again: false, stale: false };
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
      const rely = this.told && isTold(path) && !topic.reading.error;
      const slowest = rely ? Math.max(period, toldPeriodMs) : period;
      const pace = this.hidden() ? Math.max(slowest, hiddenPeriodMs) : topic.stale ? leastPauseMs : slowest;
      const due = topic.asked + pace;
      if (due <= now && !topic.busy) void this.fetch(path, topic);
      else next = Math.min(next, Math.max(due - now, 50));
    }
    if (next < Infinity) this.plan(next);
  }

  private async fetch(path: string, topic: Topic): Promise<void> {
    topic.busy = true;
    topic.stale = false;
    topic.asked = Date.now();
    try {
      topic.reading = { value: await this.get(path) };
      this.answeredAt = Date.now();
    } catch (error) {
      const problem = error instanceof ApiError ? error : new ApiError(-1, String(error));
      topic.reading = { value: topic.reading.value, error: problem };
    }
    topic.busy = false;
    if (topic.again && !topic.stale) topic.asked = 0;
    topic.again = false;
    if (this.topics.get(path) !== topic) return; // cleared meanwhile
    this.judge();
    for (const listener of [...topic.listeners.keys()]) listener(topic.reading as Reading<never>);
    this.plan(50);
  }

  /** The server is down where nothing was answered since, impaired where it says itself that it cannot. */
  private judge(): void {
    const watched = [...this.topics.values()].filter((topic) => topic.listeners.size > 0);
    const errorOf = (topics: Topic[], ...statuses: number[]) =>
      topics.find(({ reading }) => reading.error && statuses.includes(reading.error.status))?.reading.error;
    const unanswered = watched.filter((topic) => topic.asked >= this.answeredAt);
    const silent = errorOf(unanswered, 0, 502);
    const unable = errorOf(watched, 503, 504);
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

function socketUrl(who: Session | null): string | null {
  if (!who) return null;
  const url = new URL(address('socket') + socketQuery(who), document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

if (typeof document !== 'undefined' && typeof WebSocket !== 'undefined') {
  const concerns = new Concerns();
  const socket = new EventSocket(
    (message) => live.stale(concerns.of(message)),
    (open) => live.listening(open),
  );
  socket.aim(socketUrl(session.get()));
  session.listen((who) => socket.aim(socketUrl(who)));
}
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
