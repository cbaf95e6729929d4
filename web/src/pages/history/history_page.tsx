import { useLive } from '../../lib/live';
import { stateNames } from '../../lib/names';
import { query } from '../../lib/api';
import { go, href } from '../../lib/router';
import type { Page, Pod, Run, Task } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Select } from '../../ui/field';
import { PageFrame } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { Section } from '../../ui/section';
import { DurationSection } from './duration_section';
import { RunItem } from './run_item';
import { Timeline } from './timeline';

const size = 50;

export function HistoryPage({ params }: { params: Record<string, string> }) {
  const { task = '', state = '', pod = '' } = params;
  const at = Math.max(1, Number(params.page) || 1);
  const tasks = useLive<Task[]>('ScheduledTasks', 60_000).value ?? [];
  const pods = useLive<Pod[]>('cluster/pods', 30_000).value ?? [];
  const runs = useLive<Page<Run>>(
    'cluster/runs' + query({ task, state, pod, limit: size, startIndex: (at - 1) * size }),
    at === 1 ? 4_000 : 30_000,
  );
  const list = runs.value?.items ?? [];
  const filter = (change: Record<string, string>) => go(href('history', '', { task, state, pod, ...change }));
  const labels = [...new Set([...pods.map((each) => each.pod), ...(pod ? [pod] : [])])].sort();
  return (
    <PageFrame title="History">
      <div class="stack">
        <Timeline />
        <DurationSection task={task} tasks={tasks} onTask={(key) => filter({ task: key })} />
        <Section
          title="Runs"
          flush
          actions={
            <div class="filters" role="group" aria-label="Filter runs">
              <Select
                label="Task"
                value={task}
                onChange={(value) => filter({ task: value })}
                options={[['', 'Every task'], ...tasks.map((each) => [each.key, each.name] as [string, string])]}
              />
              <Select
                label="State"
                value={state}
                onChange={(value) => filter({ state: value })}
                options={[['', 'Every state'], ...Object.entries(stateNames)]}
              />
              <Select
                label="Pod"
                value={pod}
                onChange={(value) => filter({ pod: value })}
                options={[['', 'Every pod'], ...labels.map((label) => [label, label] as [string, string])]}
              />
            </div>
          }
        >
          {!list.length && <Empty of={runs}>No run fits these filters.</Empty>}
          <ol class="rows runs">
            {list.map((run) => (
              <RunItem key={run.runId ?? run.task + run.slot + run.notBefore} run={run} />
            ))}
          </ol>
          {runs.value && (
            <Pager
              page="history"
              params={{ task, state, pod }}
              at={at}
              size={size}
              total={runs.value.total}
              what="runs"
            />
          )}
        </Section>
      </div>
    </PageFrame>
  );
}
