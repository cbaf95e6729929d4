/** What comes on the server's event socket; docs/api.md has all of it. */
export interface Message {
  MessageType: string;
  Data?: unknown;
}

/** The part of a browser's WebSocket that is used here. */
export interface Wire {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export const keepAliveMs = 25_000;
export const silentMs = 65_000; // keep-alives are answered, so this is two of them lost
const firstRetryMs = 1_000;
const lastRetryMs = 30_000;
const subscriptions = ['ScheduledTasksInfo', 'Sessions', 'ActivityLogEntry'];

/** Holds a socket open while it is wanted: connects again, later each time, and takes a silent one for dead. */
export class EventSocket {
  private wire: Wire | null = null;
  private url: string | null = null;
  private failures = 0;
  private open = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly heard: (message: Message) => void,
    private readonly changed: (open: boolean) => void,
    private readonly make: (url: string) => Wire = (url) => new WebSocket(url) as unknown as Wire,
    private readonly chance: () => number = Math.random,
  ) {}

  /** Where to connect; null: nowhere any more. */
  aim(url: string | null): void {
    if (url === this.url) return;
    this.url = url;
    this.failures = 0;
    this.drop();
    if (url) this.connect();
  }

  private connect(): void {
    if (!this.url) return;
    let wire: Wire;
    try {
      wire = this.make(this.url);
    } catch {
      return this.again();
    }
    this.wire = wire;
    wire.onopen = () => {
      if (wire !== this.wire) return;
      for (const name of subscriptions) this.say(`${name}Start`, '0,1000');
      this.pulse = setInterval(() => this.say('KeepAlive'), keepAliveMs);
      this.stir();
    };
    wire.onmessage = ({ data }) => {
      if (wire !== this.wire) return;
      this.stir();
      const message = parse(data);
      if (!message) return;
      if (!this.open) {
        // The first message and not the handshake: a proxy may take that and pass nothing on.
        this.open = true;
        this.failures = 0;
        this.changed(true);
      }
      if (message.MessageType === 'ForceKeepAlive') this.say('KeepAlive');
      else if (message.MessageType !== 'KeepAlive') this.heard(message);
    };
    wire.onclose = () => {
      if (wire !== this.wire) return;
      this.drop();
      this.again();
    };
    this.stir();
  }

  private say(type: string, data?: string): void {
    try {
      this.wire?.send(JSON.stringify({ MessageType: type, Data: data }));
    } catch {
      // closing: onclose comes
    }
  }

  private stir(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.drop();
      this.again();
    }, silentMs);
  }

  private drop(): void {
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    clearInterval(this.pulse);
    const wire = this.wire;
    this.wire = null;
    wire?.close();
    if (this.open) {
      this.open = false;
      this.changed(false);
    }
  }

  /** Half of the wait is chance: windows that lost the same pod do not come back as one. */
  private again(): void {
    const wait = Math.min(firstRetryMs * 2 ** this.failures, lastRetryMs);
    this.failures = Math.min(this.failures + 1, 10);
    this.retry = setTimeout(() => this.connect(), wait * (0.5 + this.chance() / 2));
  }
}

function parse(data: unknown): Message | null {
  try {
    const message = JSON.parse(String(data)) as Message;
    return typeof message?.MessageType === 'string' ? message : null;
  } catch {
    return null;
  }
}

const tasks = ['ScheduledTasks', 'cluster/runs', 'cluster/schedule', 'Library/VirtualFolders'];
const items = ['Items', 'Library/', 'cluster/problems', 'cluster/items'];
const concerns: Record<string, string[]> = {
  ScheduledTasksInfo: tasks,
  ScheduledTaskEnded: [...tasks, 'cluster/skips', 'cluster/problems'],
  RefreshProgress: ['Library/VirtualFolders'],
  LibraryChanged: items,
  UserDataChanged: ['Items'],
  Sessions: ['Sessions', 'Devices'],
  ActivityLogEntry: ['System/ActivityLog'],
  UserUpdated: ['Users'],
  UserDeleted: ['Users'],
};

/** Where progress shows, which comes each second while anything runs. */
const progress = [
  'ScheduledTasks',
  'cluster/runs?state=',
  'cluster/runs?task=RefreshLibrary&',
  'Library/VirtualFolders',
];

/** Beginnings of the addresses whose answers a message says have changed. */
export class Concerns {
  private tasks = '';
  private withoutProgress = '';

  of({ MessageType, Data }: Message): string[] {
    if (MessageType !== 'ScheduledTasksInfo') return concerns[MessageType] ?? [];
    const all = JSON.stringify(Data) ?? '';
    const still = JSON.stringify(Data, (key, value) => (key === 'CurrentProgressPercentage' ? undefined : value)) ?? '';
    const onlyProgress = still === this.withoutProgress && all !== this.tasks;
    this.tasks = all;
    this.withoutProgress = still;
    return onlyProgress ? progress : tasks; // the same again: of what tasks do not say, as that timers are paused
  }
}

/** Is each change of that address said on the socket, so that asking now and then is enough? */
export function isTold(path: string): boolean {
  return [...tasks, 'Sessions', 'Devices', 'System/ActivityLog'].some((start) => path.startsWith(start));
}
