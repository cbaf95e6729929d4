import { counts, duration } from '../../lib/format';
import { stateNames, stateTones } from '../../lib/names';
import { tookMs } from '../../lib/timeline';
import type { Run, Task } from '../../lib/types';
import { Ago } from '../../ui/times';

/** How the last run ended: where, how long, what it counted. The task's own word of it until the run is read. */
export function LastResult({ task, run }: { task: Task; run?: Run }) {
  const result = task.lastExecutionResult;
  if (!run && !result) return <span class="muted">Never ran</span>;
  const tone = run
    ? stateTones[run.state]
    : result!.status === 'Completed'
      ? 'good'
      : result!.status === 'Failed'
        ? 'bad'
        : 'warn';
  const took = run ? tookMs(run, Date.now()) : Date.parse(result!.endTimeUtc) - Date.parse(result!.startTimeUtc);
  const error = run?.error ?? result?.errorMessage;
  const so = run ? counts(run.counts) : '';
  return (
    <>
      <span>
        <span class={`dot ${tone}`} aria-hidden="true" />
        {run ? stateNames[run.state] : result!.status} <Ago at={run?.endedAt ?? result!.endTimeUtc} />
      </span>
      <p class="small muted num">
        {[took !== null ? `took ${duration(took)}` : '', run?.pod ? `on ${run.pod}` : '', so]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {error && (
        <p class={`small clamp ${tone === 'bad' ? 'bad' : 'muted'}`} title={error}>
          {error}
        </p>
      )}
      {!!run?.warnings.length && (
        <p class="small warn">{run.warnings.length === 1 ? '1 warning' : `${run.warnings.length} warnings`}</p>
      )}
    </>
  );
}
