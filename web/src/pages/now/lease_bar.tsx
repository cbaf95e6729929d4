import { useEffect, useRef, useState } from 'preact/hooks';
import { duration } from '../../lib/format';
import type { Leader } from '../../lib/types';

/** How long the lease is still good for: drains between two looks, full again after a renewal. */
export function LeaseBar({ leader }: { leader: Leader }) {
  const fullest = useRef(1);
  const [seen, setSeen] = useState({ leftMs: leader.ttlLeftMs, at: Date.now() });
  const [, again] = useState(0);
  useEffect(() => setSeen({ leftMs: leader.ttlLeftMs, at: Date.now() }), [leader]);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && again((n) => n + 1), 250);
    return () => clearInterval(timer);
  }, []);
  if (seen.leftMs === null) return null;
  fullest.current = Math.max(fullest.current, seen.leftMs);
  const left = Math.max(0, seen.leftMs - (Date.now() - seen.at));
  return (
    <div
      class="lease"
      role="img"
      aria-label={`The lease holds for at least ${duration(Math.ceil(seen.leftMs / 1000) * 1000)} more`}
    >
      <div class="lease-track">
        <div style={{ transform: `scaleX(${left / fullest.current})` }} />
      </div>
      <span class="small muted num" aria-hidden="true">
        lease: {duration(Math.ceil(left / 1000) * 1000)} left
      </span>
    </div>
  );
}
