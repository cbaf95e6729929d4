// How figures look to people. Pure: the time comes in.

const second = 1000,
  minute = 60 * second,
  hour = 60 * minute,
  day = 24 * hour;

/** `0.4 s`, `12 s`, `3 min 05 s`, `2 h 04 min`, `5 d 3 h`: two units at most, never a false third digit. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  const t = Math.max(0, ms);
  if (t < 950) return t < 1 ? '0 s' : t < 95 ? `${Math.max(1, Math.round(t))} ms` : `${(t / second).toFixed(1)} s`;
  if (t < 9_950) return `${(t / second).toFixed(1).replace(/\.0$/, '')} s`;
  const seconds = Math.round(t / second);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return two(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(t / minute);
  if (minutes < 24 * 60) return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(t / hour);
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function two(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${String(small).padStart(2, '0')} ${smallUnit}`;
}

/** Time until `at`: `in 4 s`, `in 2 h 10 min`, `now`. */
export function countdown(at: number, now: number): string {
  const left = at - now;
  const unit = left >= day ? hour : left >= hour ? minute : second; // cut, not rounded: it never shows more than is left
  return left < second ? 'now' : `in ${duration(Math.floor(left / unit) * unit)}`;
}

/** Time since `at`: `just now`, `12 s ago`, `3 h ago`: one unit, as it is read in passing. */
export function ago(at: number, now: number): string {
  const past = now - at;
  if (past < 2 * second) return 'just now';
  if (past < minute) return `${Math.floor(past / second)} s ago`;
  if (past < hour) return `${Math.floor(past / minute)} min ago`;
  if (past < 2 * day) return `${Math.floor(past / hour)} h ago`;
  return `${Math.floor(past / day)} d ago`;
}

/** `14:05`, `Tue 14:05` within a week, `30 Nov 14:05` else; in `zone`, or the browser's. */
export function clock(at: number, now: number, zone?: string, seconds = false): string {
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone };
  if (seconds) time.second = '2-digit';
  const dayOf = (t: number) => new Date(t).toLocaleDateString('en-CA', { timeZone: zone });
  if (dayOf(at) === dayOf(now)) return format(at, time);
  if (Math.abs(at - now) < 6 * day) return format(at, { ...time, weekday: 'short' });
  return format(at, { ...time, day: 'numeric', month: 'short' });
}

/** `Tue 30 Nov 2027, 14:05:09`, for titles and previews. */
export function fullTime(at: number, zone?: string): string {
  return format(at, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  });
}

function format(at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', options).format(at);
}

/** `940`, `9,400`, `1.2 M`. */
export function count(n: number): string {
  if (Math.abs(n) < 1_000_000) return Math.round(n).toLocaleString('en-GB');
  return `${(n / 1_000_000).toFixed(1)} M`;
}

export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = n,
    unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    ++unit;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

export function bitrate(bps: number): string {
  return bps >= 1_000_000 ? `${(bps / 1_000_000).toFixed(1)} Mbit/s` : `${Math.round(bps / 1000)} kbit/s`;
}

/** A run's rate in the task's own unit: `42 files/s`, `0.3 files/s`; media that is worked through is `×` real time. */
export function rate(unit: string, perSecond: number): string {
  const n =
    perSecond >= 100
      ? Math.round(perSecond).toLocaleString('en-GB')
      : perSecond >= 10
        ? perSecond.toFixed(0)
        : perSecond.toFixed(1);
  return unit === 's of media' ? `${n} × real time` : `${n} ${unit}/s`;
}

/** A position in a film: `1:02:03`, `4:05`. */
export function position(ms: number): string {
  const total = Math.floor(ms / second);
  const h = Math.floor(total / 3600),
    m = Math.floor(total / 60) % 60,
    s = total % 60;
  const pad = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}

/** `kept_offline` -> `kept offline`. */
export function words(name: string): string {
  return name.replace(/_/g, ' ');
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `files` of one thing: `file`. The server counts in plurals. */
function one(plural: string, n: number): string {
  return n === 1 ? plural.replace(/^(?!series\b)(\w+?)s\b/, '$1') : plural;
}

/** What a run counted, without the zeros: `14 added · 2 failed`. */
export function counts(all: Record<string, number>): string {
  return Object.entries(all)
    .filter(([, n]) => n !== 0)
    .map(([name, n]) => `${count(n)} ${one(words(name), n)}`)
    .join(' · ');
}

export function plural(n: number, one: string, many = one + 's'): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export const ticksPerMs = 10_000;
