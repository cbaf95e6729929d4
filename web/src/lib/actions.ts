import { ApiError, ask } from './api';
import { live } from './live';
import { makeStore } from './store';

/** What is told in passing, at the edge of the page. */
export interface Notice {
  id: number;
  text: string;
  bad: boolean;
}
export const notices = makeStore<Notice[]>([]);
let last = 0;

export function dismiss(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

export function tell(text: string, bad = false): void {
  const id = ++last;
  notices.set([...notices.get().slice(-3), { id, text, bad }]);
  setTimeout(() => dismiss(id), bad ? 12_000 : 5_000);
}

/** Does something on the server, tells how it went, and looks again at once. False: it was refused, and that was told. */
export async function act(
  method: string,
  path: string,
  done: string | ((response: Response) => string),
  body?: unknown,
): Promise<boolean> {
  notices.set(notices.get().filter((notice) => !notice.bad)); // the next try: what the last one was told is over
  try {
    const response = await ask(path, { method, body });
    const text = typeof done === 'string' ? done : done(response);
    if (text) tell(text);
    return true;
  } catch (error) {
    tell(error instanceof ApiError ? error.message : String(error), true);
    return false;
  } finally {
    live.refresh();
  }
}

export function runTask(key: string, name: string): Promise<boolean> {
  return act('POST', `ScheduledTasks/Running/${encodeURIComponent(key)}`, (response) => {
    const waiting = response.headers.get('X-Understudy-Waiting');
    if (waiting) return `${name} waits for its turn: ${waiting}`;
    const pod = response.headers.get('X-Understudy-Pod');
    const joined = response.headers.has('X-Understudy-Beat-Age');
    return `${name} ${joined ? 'was running already' : 'runs'}${pod ? ` on ${pod}` : ''}.`;
  });
}

export function stopTask(key: string, name: string): Promise<boolean> {
  return act('DELETE', `ScheduledTasks/Running/${encodeURIComponent(key)}`, `${name} was asked to stop.`);
}
