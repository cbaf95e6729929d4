import { ago, clock, countdown, fullTime } from '../lib/format';
import { useNow } from '../lib/time';

/** `3 min ago`, the full time on hover. */
export function Ago({ at }: { at: string | number }) {
  const time = typeof at === 'number' ? at : Date.parse(at);
  return (
    <time dateTime={new Date(time).toISOString()} title={fullTime(time)}>
      {ago(time, useNow())}
    </time>
  );
}

/** `in 2 h 10 min`. */
export function Countdown({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(Date.parse(at))}>
      {countdown(Date.parse(at), useNow())}
    </time>
  );
}

/** `Tue 14:05`. */
export function Clock({ at, seconds }: { at: string; seconds?: boolean }) {
  return (
    <time dateTime={at} title={fullTime(Date.parse(at))}>
      {clock(Date.parse(at), useNow(30_000), undefined, seconds)}
    </time>
  );
}
