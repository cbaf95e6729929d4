import { useState } from 'preact/hooks';
import { act } from '../../lib/actions';
import { useLive } from '../../lib/live';
import type { Schedule, Task } from '../../lib/types';
import { Button } from '../../ui/button';
import { Empty } from '../../ui/empty';
import { PageFrame } from '../../ui/page';
import { Section } from '../../ui/section';
import { TaskRow } from './task_row';
import { TriggerEditor } from './trigger_editor';

export function TasksPage() {
  const tasks = useLive<Task[]>('ScheduledTasks');
  const disabled = useLive<Task[]>('ScheduledTasks?isEnabled=false', 5_000);
  const schedule = useLive<Schedule>('cluster/schedule?count=1', 5_000);
  const [editing, setEditing] = useState<Task | null>(null);
  const paused = schedule.value?.timersPaused ?? false;
  const off = new Set(disabled.value?.map((task) => task.key));
  const next = new Map(schedule.value?.items.map((slot) => [slot.task, slot.slot]));
  const categories = [...new Set(tasks.value?.map((task) => task.category))];
  const pause = () =>
    act('POST', 'cluster/timers', paused ? 'All timers are on again.' : 'All timers are paused, on every pod.', {
      paused: !paused,
    });
  return (
    <PageFrame
      title="Tasks"
      lead={paused ? 'All timers are paused: tasks run only when somebody asks.' : undefined}
      actions={
        <Button
          icon={paused ? 'play' : 'pause'}
          look={paused ? 'main' : 'plain'}
          disabled={!schedule.value}
          onClick={pause}
        >
          {paused ? 'Resume all timers' : 'Pause all timers'}
        </Button>
      }
    >
      {!tasks.value && <Empty of={tasks}>There is no task.</Empty>}
      <div class="stack">
        {categories.map((category) => (
          <Section key={category} title={category} flush>
            <ul class="rows tasks">
              {tasks
                .value!.filter((task) => task.category === category)
                .map((task) => (
                  <TaskRow
                    key={task.key}
                    task={task}
                    enabled={!off.has(task.key)}
                    next={paused ? undefined : next.get(task.key)}
                    onEdit={() => setEditing(task)}
                  />
                ))}
            </ul>
          </Section>
        ))}
      </div>
      {editing && <TriggerEditor task={editing} onClose={() => setEditing(null)} />}
    </PageFrame>
  );
}
