import { counts, duration, fullTime } from '../../lib/format';
import { kindNames, useTaskNames } from '../../lib/names';
import { tookMs } from '../../lib/timeline';
import type { Run } from '../../lib/types';
import { StateBadge } from '../../ui/badge';
import { Clock } from '../../ui/times';

/** One run; what it said and counted unfolds. */
export function RunItem({ run }: { run: Run }) {
  const name = useTaskNames()(run.task);
  const took = tookMs(run, Date.now());
  const so = counts(run.counts);
  const wrong = run.state === 'failed' || run.state === 'aborted' ? 'bad' : ''; // one that was stopped says who asked
  return (
    <li>
      <details class="run">
        <summary>
          <span class="run-name">
            <StateBadge state={run.state} />
            <strong>{name}</strong>
          </span>
          <span class="small muted">{run.pod ?? '–'}</span>
          <span class="small muted num">{run.startedAt ? <Clock at={run.startedAt} seconds /> : 'not yet'}</span>
          <span class="small num run-took">{took !== null ? duration(took) : ''}</span>
          <span class="small muted clamp run-so">{run.error ? <span class={wrong}>{run.error}</span> : so}</span>
        </summary>
        <dl class="pairs small">
          {run.error && (
            <>
              <dt>{wrong ? 'Error' : 'Why'}</dt>
              <dd class={`${wrong} prose`}>{run.error}</dd>
            </>
          )}
          {run.warnings.length > 0 && (
            <>
              <dt>Warnings</dt>
              <dd>
                <ul class="plain">
                  {run.warnings.map((warning) => (
                    <li class="prose" key={warning}>
                      {warning}
                    </li>
                  ))}
                </ul>
              </dd>
            </>
          )}
          <dt>Started</dt>
          <dd>
            {kindNames[run.kind]}
            {run.startedAt ? `, ${fullTime(Date.parse(run.startedAt))}` : ''}
          </dd>
          {run.slot && (
            <>
              <dt>Due</dt>
              <dd>{fullTime(Date.parse(run.slot))}</dd>
            </>
          )}
          {run.endedAt && (
            <>
              <dt>Ended</dt>
              <dd>
                {fullTime(Date.parse(run.endedAt))} at {Math.floor(run.progress)} %
              </dd>
            </>
          )}
          {so && (
            <>
              <dt>Counts</dt>
              <dd>{so}</dd>
            </>
          )}
          {run.waitingFor && (
            <>
              <dt>Waits for</dt>
              <dd>{run.waitingFor}</dd>
            </>
          )}
          {run.resumedFrom && (
            <>
              <dt>Goes on from</dt>
              <dd class="mono">{run.resumedFrom}</dd>
            </>
          )}
          {run.epoch !== null && (
            <>
              <dt>Epoch</dt>
              <dd>{run.epoch}</dd>
            </>
          )}
          {run.runId && (
            <>
              <dt>Run</dt>
              <dd class="mono">{run.runId}</dd>
            </>
          )}
        </dl>
      </details>
    </li>
  );
}
