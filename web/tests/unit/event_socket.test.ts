import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Concerns, EventSocket, isTold, keepAliveMs, silentMs, type Wire } from '../../src/lib/event_socket';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class FakeWire implements Wire {
  onopen: Wire['onopen'] = null;
  onmessage: Wire['onmessage'] = null;
  onclose: Wire['onclose'] = null;
  sent: string[] = [];
  closed = false;
  constructor(readonly url: string) {}
  send(text: string): void {
    this.sent.push((JSON.parse(text) as { MessageType: string }).MessageType);
  }
  close(): void {
    this.closed = true;
  }
  say(type: string): void {
    this.onmessage?.({ data: JSON.stringify({ MessageType: type, MessageId: 'a' }) });
  }
}

function house(chance = 1) {
  const wires: FakeWire[] = [];
  const heard: string[] = [];
  const states: boolean[] = [];
  const socket = new EventSocket(
    (message) => heard.push(message.MessageType),
    (open) => states.push(open),
    (url) => {
      const wire = new FakeWire(url);
      wires.push(wire);
      return wire;
    },
    () => chance,
  );
  return { socket, wires, heard, states, last: () => wires[wires.length - 1] as FakeWire };
}

test('is open with the first message, subscribes, and passes on what is no keep-alive', () => {
  const { socket, last, heard, states } = house();
  socket.aim('ws://a/socket');
  last().onopen?.();
  expect(states).toEqual([]);
  expect(last().sent).toEqual(['ScheduledTasksInfoStart', 'SessionsStart', 'ActivityLogEntryStart']);
  last().say('ForceKeepAlive');
  expect(states).toEqual([true]);
  expect(last().sent.at(-1)).toBe('KeepAlive');
  last().say('KeepAlive');
  last().say('LibraryChanged');
  last().onmessage?.({ data: 'no json' });
  last().onmessage?.({ data: 'null' });
  expect(heard).toEqual(['LibraryChanged']);
});

test('sends keep-alives, and takes a socket that answers none for dead', () => {
  const { socket, wires, last, states } = house();
  socket.aim('ws://a/socket');
  last().onopen?.();
  last().say('ForceKeepAlive');
  for (let i = 0; i < 10; ++i) {
    vi.advanceTimersByTime(keepAliveMs);
    expect(last().sent.at(-1)).toBe('KeepAlive');
    last().say('KeepAlive');
  }
  expect(states).toEqual([true]);
  vi.advanceTimersByTime(silentMs);
  expect(states).toEqual([true, false]);
  expect(wires[0]?.closed).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(wires.length).toBe(2);
});

test('connects again later each time, half of it by chance, and soon again after a good one', () => {
  const { socket, wires, last } = house(0);
  socket.aim('ws://a/socket');
  const waits: number[] = [];
  for (let i = 0; i < 8; ++i) {
    const before = wires.length;
    last().onclose?.();
    let waited = 0;
    while (wires.length === before) {
      vi.advanceTimersByTime(100);
      waited += 100;
    }
    waits.push(waited);
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  last().onopen?.();
  last().say('ForceKeepAlive');
  const before = wires.length;
  last().onclose?.();
  vi.advanceTimersByTime(500);
  expect(wires.length).toBe(before + 1);
});

test('a connection that never opens is given up', () => {
  const { socket, wires } = house();
  socket.aim('ws://a/socket');
  vi.advanceTimersByTime(silentMs + 1_000);
  expect(wires.length).toBe(2);
  expect(wires[0]?.closed).toBe(true);
});

test('goes to where it is sent and hears nothing more of the old place', () => {
  const { socket, wires, heard, states } = house();
  socket.aim('ws://a/socket?1');
  const old = wires[0] as FakeWire;
  old.say('ForceKeepAlive');
  socket.aim('ws://a/socket?2');
  expect(old.closed).toBe(true);
  old.say('Sessions');
  old.onclose?.();
  expect(heard).toEqual([]);
  expect(wires.map((wire) => wire.url)).toEqual(['ws://a/socket?1', 'ws://a/socket?2']);
  socket.aim(null);
  vi.advanceTimersByTime(10 * silentMs);
  expect(wires.length).toBe(2);
  expect(states).toEqual([true, false]);
});

test('knows whom a message concerns', () => {
  const concerns = new Concerns();
  expect(concerns.of({ MessageType: 'ScheduledTasksInfo' })).toContain('cluster/runs');
  expect(concerns.of({ MessageType: 'LibraryChanged' })).toContain('Items');
  expect(concerns.of({ MessageType: 'Play' })).toEqual([]);
  expect(isTold('cluster/runs?state=running')).toBe(true);
  expect(isTold('cluster/leader')).toBe(false);
});

test('progress concerns what shows it, and all that is about tasks when anything else is new', () => {
  const concerns = new Concerns();
  const said = (progress: number | undefined, state: string) =>
    concerns.of({
      MessageType: 'ScheduledTasksInfo',
      Data: [{ Key: 'RefreshLibrary', State: state, CurrentProgressPercentage: progress }],
    });
  expect(said(undefined, 'Idle')).toContain('cluster/schedule');
  expect(said(1, 'Running')).toContain('cluster/runs');
  const moved = said(2, 'Running');
  expect(moved).toContain('ScheduledTasks');
  expect(moved).toContain('cluster/runs?state=');
  expect(moved).not.toContain('cluster/runs');
  expect(moved).not.toContain('cluster/schedule');
  expect(said(2, 'Running')).toContain('cluster/schedule'); // timers were paused, say, which is not in it
  expect(said(undefined, 'Idle')).toContain('cluster/runs');
});
