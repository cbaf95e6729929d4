import { useLive } from '../../lib/live';
import { useTaskNames } from '../../lib/names';
import { href } from '../../lib/router';
import type { Schedule } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Section } from '../../ui/section';
import { Clock, Countdown } from '../../ui/times';

const shown = 7;

export function DueNext() {
  const schedule = useLive<Schedule>('cluster/schedule?count=1', 5_000);
  const name = useTaskNames();
  const slots = schedule.value?.items.slice(0, shown) ?? [];
  return (
    <Section
      title="Due next"
      note={schedule.value?.timersPaused ? 'All timers are paused: none of these starts' : undefined}
      actions={
        <a class="small" href={href('tasks')}>
          All tasks
        </a>
      }
      flush
    >
      {!slots.length && <Empty of={schedule}>No trigger is set.</Empty>}
      <ol class={`rows due ${schedule.value?.timersPaused ? 'off' : ''}`}>
        {slots.map((slot) => (
          <li key={slot.task + slot.slot}>
            <span>{name(slot.task)}</span>
            <span class="num strong">
              <Countdown at={slot.slot} />
            </span>
            <span class="small muted num">
              <Clock at={slot.slot} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
