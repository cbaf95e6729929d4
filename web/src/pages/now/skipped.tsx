import { useLive } from '../../lib/live';
import { groupSkips, skipText, useTaskNames } from '../../lib/names';
import type { Skip } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Section } from '../../ui/section';
import { Ago, Clock } from '../../ui/times';

const shown = 6;

/** Timers that fired and started nothing, newest first. */
export function Skipped() {
  const skips = useLive<{ items: Skip[] }>('cluster/skips?limit=50', 5_000);
  const name = useTaskNames();
  const all = groupSkips(skips.value?.items ?? []);
  return (
    <Section
      title="Not started, and why"
      note={
        all.some((skip) => skip.reason === 'not_leader')
          ? 'Followers let their timers pass: that is how it should be'
          : undefined
      }
      flush
    >
      {!all.length && <Empty of={skips}>No timer was passed over lately.</Empty>}
      <ul class="rows">
        {all.slice(0, shown).map((skip) => (
          <li key={skip.task + skip.slot + skip.reason + skip.holder}>
            <div class="row-line">
              <strong>{name(skip.task)}</strong>
              <span class="small muted push num">
                <Ago at={skip.at} />
              </span>
            </div>
            <div class="small muted">
              {skipText(skip)} · due <Clock at={skip.slot} />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
