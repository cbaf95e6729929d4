import { authorization, session, type Session } from './session';

/** What went wrong with a request. `status` 0: no answer at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server's own words about a refusal: plain text, or the fields of RFC 7807. */
export function reasonOf(status: number, contentType: string, body: string): string {
  if (contentType.includes('json')) {
    try {
      const problem = JSON.parse(body) as { errors?: Record<string, string[]>; detail?: string; title?: string };
      const errors = Object.values(problem.errors ?? {}).flat();
      const reason = errors.join(' ') || problem.detail || problem.title;
      if (reason) return reason;
    } catch {
      // no JSON after all: said as it is
    }
  } else if (body.trim()) {
    return body.trim().slice(0, 500);
  }
  return status === 404 ? 'The server does not know this address.' : `The server answered ${status}.`;
}

/** Difference of the server's clock to ours in ms; times that people see count by the server's. */
export const clockOffset = { ms: 0, known: false };

function watchClock(response: Response, sentAt: number): void {
  const date = Date.parse(response.headers.get('Date') ?? '');
  if (Number.isNaN(date)) return;
  // The header has whole seconds, cut off: half a second is the best guess.
  const offset = date + 500 - (sentAt + Date.now()) / 2;
  if (!clockOffset.known || Math.abs(offset - clockOffset.ms) > 1500)
    clockOffset.ms = Math.abs(offset) < 1500 ? 0 : offset;
  clockOffset.known = true;
}

/** A path below the server as the browser has to ask for it: the page lies one folder below (`…/dashboard/`). */
export function address(path: string): string {
  return '../' + path.replace(/^\//, '');
}

export interface Ask {
  method?: string;
  body?: unknown;
  as?: Session | null; // instead of the one that is logged in; null: nobody
  patienceMs?: number;
}

export async function ask(
  path: string,
  { method = 'GET', body, as, patienceMs = 15_000 }: Ask = {},
): Promise<Response> {
  const who = as === undefined ? session.get() : as;
  const headers: Record<string, string> = {
    Accept: 'application/json; profile="CamelCase"',
    Authorization: authorization(who),
  };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const sentAt = Date.now();
  let response: Response;
  try {
    response = await fetch(address(path), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
      cache: 'no-store',
    });
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError';
    throw new ApiError(0, late ? 'The server did not answer in time.' : 'The server does not answer.');
  }
  watchClock(response, sentAt);
  if (response.ok) return response;
  const reason = reasonOf(
    response.status,
    response.headers.get('Content-Type') ?? '',
    await response.text().catch(() => ''),
  );
  // Not of one who has logged out, or in again, since it was asked.
  if (response.status === 401 && as === undefined && who && session.get() === who)
    session.end(who.kind === 'key' ? 'The key is no longer valid.' : 'This log-in has ended. Log in again.');
  throw new ApiError(response.status, reason);
}

export async function read<T>(path: string, options?: Ask): Promise<T> {
  return (await ask(path, options)).json() as Promise<T>;
}

/** A query string of what is set. */
export function query(values: Record<string, string | number | boolean | undefined | null>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return set.length ? '?' + new URLSearchParams(set.map(([key, value]) => [key, String(value)])).toString() : '';
}
