import { lasting, passing } from './storage';
import { makeStore } from './store';

/** Who is logged in. */
export interface Session {
  token: string;
  name: string;
  kind: 'key' | 'user';
  id?: string; // of a user
}

const slot = 'understudy.session';
const deviceSlot = 'understudy.device';

function load(): Session | null {
  try {
    return JSON.parse(passing.get(slot) ?? lasting.get(slot) ?? 'null') as Session | null;
  } catch {
    return null; // spoilt: log in again
  }
}

const store = makeStore<Session | null>(load());
/** Why the last session ended, for the log-in page; empty: nobody asked. */
export const farewell = makeStore('');

export const session = {
  ...store,
  begin(who: Session, remember: boolean): void {
    (remember ? lasting : passing).set(slot, JSON.stringify(who));
    farewell.set('');
    store.set(who);
  },
  end(why = ''): void {
    passing.remove(slot);
    lasting.remove(slot);
    farewell.set(why);
    store.set(null);
  },
};

/** The same for this browser, so that a new log-in takes the old one's place. */
function deviceId(): string {
  let id = lasting.get(deviceSlot);
  if (!id) {
    id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    lasting.set(deviceSlot, id);
  }
  return id;
}

function deviceName(): string {
  const agent = navigator.userAgent;
  const browser = /Firefox|Edg|Chrome|Safari/.exec(agent)?.[0] ?? 'Browser';
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0] ?? 'device';
  return `${browser === 'Edg' ? 'Edge' : browser} on ${system}`;
}

/** For the event socket, on which a browser sends no header of ours. */
export function socketQuery(who: Session): string {
  return '?' + new URLSearchParams({ ApiKey: who.token, deviceId: deviceId() }).toString();
}

/** The header that every request carries, with a token or without. */
export function authorization(who: Session | null): string {
  const parts = { Client: 'Understudy Dashboard', Device: deviceName(), DeviceId: deviceId(), Version: '0.1.0' };
  const fields = Object.entries(who ? { ...parts, Token: who.token } : parts);
  return 'MediaBrowser ' + fields.map(([key, value]) => `${key}="${encodeURIComponent(value)}"`).join(', ');
}
