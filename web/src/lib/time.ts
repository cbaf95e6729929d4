import { useEffect, useState } from 'preact/hooks';
import { clockOffset } from './api';

export function serverNow(): number {
  return Date.now() + clockOffset.ms;
}

/** The server's time, again each `everyMs` while the page is visible. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(serverNow());
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
