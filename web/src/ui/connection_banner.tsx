import { clock, duration } from '../lib/format';
import { live } from '../lib/live';
import { useStore } from '../lib/store';
import { useNow } from '../lib/time';
import { Icon } from './icon';

/** Says that what is shown is old, since when and why; gone by itself once the server answers again. */
export function ConnectionBanner() {
  const connection = useStore(live.connection);
  useNow();
  const since = connection.state === 'up' ? 0 : connection.since;
  return (
    <div role="status" aria-live="assertive">
      {connection.state !== 'up' && (
        <div class="connection">
          <Icon name="warn" />
          <p>
            <strong>{connection.reason}</strong>{' '}
            <span>
              What you see is from {clock(since, Date.now(), undefined, true)}
              <span aria-hidden="true">, {duration(Math.floor((Date.now() - since) / 1000) * 1000)} ago</span>. This
              page keeps trying.
            </span>
          </p>
        </div>
      )}
    </div>
  );
}
