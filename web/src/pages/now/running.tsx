import { counts, duration, rate } from '../../lib/format';
import { stopTask } from '../../lib/actions';
import { useLive } from '../../lib/live';
import { kindNames, useTaskNames } from '../../lib/names';
import { useNow } from '../../lib/time';
import type { Page, Run } from '../../lib/types';
import { StateBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Empty } from '../../ui/empty';
import { Progress } from '../../ui/progress';
import { Section } from '../../ui/section';
import { Clock } from '../../ui/times';

export function Running() {
  const running = useLive<Page<Run>>('cluster/runs?state=running');
  const cancelling = useLive<Page<Run>>('cluster/runs?state=cancelling');
  const waiting = useLive<Page<Run>>('cluster/runs?state=waiting');
  const runs = [...(running.value?.items ?? []), ...(cancelling.value?.items ?? [])];
  const queue = waiting.value?.items ?? [];
  return (
    <Section title="Running" note={runs.length ? String(runs.length) : undefined} flush>
      {!runs.length && !queue.length && <Empty of={running}>Nothing runs right now.</Empty>}
      <ul class="rows">
        {runs.map((run) => (
          <RunningRow key={run.runId} run={run} />
        ))}
        {queue.map((run) => (
          <WaitingRow key={`${run.task} ${run.slot ?? ''}`} run={run} />
        ))}
      </ul>
    </Section>
  );
}

function RunningRow({ run }: { run: Run }) {
  const name = useTaskNames()(run.task);
  const now = useNow();
  const so = counts(run.counts);
  return (
    <li>
      <div class="row-line">
        <strong>{name}</strong>
        {run.state === 'cancelling' && <StateBadge state={run.state} />}
        <span class="small muted">
          on {run.pod}, {kindNames[run.kind]}
          {run.resumedFrom ? ', goes on from a lost run' : ''}
        </span>
        <span class="push">
          <Button
            icon="stop"
            label={`Stop ${name}`}
            look="quiet"
            disabled={run.state === 'cancelling'}
            onClick={() => stopTask(run.task, name)}
          />
        </span>
      </div>
      <div class="run-bar">
        <Progress value={run.progress} label={name} />
        <span class="num">{Math.floor(run.progress)} %</span>
      </div>
      <div class="small muted num">
        {[
          run.startedAt ? `for ${duration(now - Date.parse(run.startedAt))}` : '',
          run.rate && run.rate.perSecond >= 0.05 ? rate(run.rate.unit, run.rate.perSecond) : '',
          run.leftMs !== null ? `about ${duration(run.leftMs)} left` : '',
          so,
        ]
          .filter(Boolean)
          .join(' · ')}
      </div>
    </li>
  );
}

/** A slot of a pod's own task is for that pod alone, also where it is silent. */
function waitsFor(run: Run): string {
  return run.pod ? `For ${run.pod} alone, as soon as it looks` : 'Starts as soon as a pod takes it';
}

function WaitingRow({ run }: { run: Run }) {
  const name = useTaskNames();
  const later = run.notBefore && Date.parse(run.notBefore) > Date.now();
  return (
    <li>
      <div class="row-line">
        <strong>{name(run.task)}</strong>
        <StateBadge state="waiting" />
      </div>
      <div class="small muted">
        {run.waitingFor ? (
          run.waitingFor === run.task ? (
            'One more run, after the one under way'
          ) : (
            `Until ${name(run.waitingFor)} is done`
          )
        ) : later ? (
          <>
            Wanted at <Clock at={run.notBefore!} seconds />
          </>
        ) : (
          waitsFor(run)
        )}
      </div>
    </li>
  );
}
