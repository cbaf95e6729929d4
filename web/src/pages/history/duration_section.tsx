import { useLive } from '../../lib/live';
import { duration, plural } from '../../lib/format';
import { tookMs } from '../../lib/timeline';
import type { Page, Run, Task } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Section } from '../../ui/section';
import { DurationPlot } from './duration_plot';
import { median } from './median';

/** How long the runs of one task took: of the chosen one, else of the library's scan. */
export function DurationSection({
  task,
  tasks,
  onTask,
}: {
  task: string;
  tasks: Task[];
  onTask: (key: string) => void;
}) {
  const key = task || 'RefreshLibrary';
  const runs = useLive<Page<Run>>(`cluster/runs?task=${key}&limit=200`, 30_000);
  const name = tasks.find((each) => each.key === key)?.name ?? key;
  const ended = (runs.value?.items ?? []).filter((run) => run.startedAt && run.endedAt).reverse();
  const took = ended.map((run) => tookMs(run, 0)!);
  const note = took.length
    ? `median ${duration(median(took))}, longest ${duration(Math.max(...took))}, ${plural(took.length, 'run')}`
    : undefined;
  return (
    <Section
      title={`How long ${name} takes`}
      note={note}
      actions={
        task ? (
          <button type="button" class="link small" onClick={() => onTask('')}>
            Every task
          </button>
        ) : undefined
      }
    >
      {ended.length < 2 ? (
        <Empty of={runs}>A plot needs two runs that ended.</Empty>
      ) : (
        <DurationPlot runs={ended} name={name} />
      )}
    </Section>
  );
}
