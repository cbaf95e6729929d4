import { useLive } from '../../lib/live';
import { address } from '../../lib/api';
import type { Pod, Ready } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Section } from '../../ui/section';
import { Ago } from '../../ui/times';
import { Badge } from '../../ui/badge';
import { HealthNotes } from '../now/health_notes';

export function Overview() {
  const ready = useLive<Ready>('health/ready', 5_000);
  const pods = useLive<Pod[]>('cluster/pods', 5_000);
  const it = ready.value;
  return (
    <>
      {it && <HealthNotes ready={it} />}
      <div class="columns even">
        <Section title="This pod">
          {!it ? (
            <Empty of={ready}>Nothing is known yet.</Empty>
          ) : (
            <dl class="pairs">
              <dt>Health</dt>
              <dd>
                <Badge tone={it.status === 'Healthy' ? 'good' : it.status === 'Degraded' ? 'warn' : 'bad'}>
                  {it.status}
                </Badge>
              </dd>
              <dt>Pod</dt>
              <dd>{it.pod}</dd>
              <dt>Version</dt>
              <dd class="num">
                {it.product} {it.version}
              </dd>
              <dt>Phase</dt>
              <dd>
                {it.phase}
                {it.detail ? `: ${it.detail}` : ''}
              </dd>
              <dt>Database</dt>
              <dd>
                {it.database.reachable
                  ? it.database.migrated
                    ? 'answers, migrated'
                    : 'answers, not migrated yet'
                  : (it.database.detail ?? 'does not answer')}
              </dd>
              <dt>Lease</dt>
              <dd>
                {it.lease.provider === 'none' ? 'no election' : `${it.lease.provider}, ${it.lease.outage ?? 'answers'}`}
              </dd>
              {it.baseUrl && (
                <>
                  <dt>Base URL</dt>
                  <dd class="mono">{it.baseUrl}</dd>
                </>
              )}
              <dt>For machines</dt>
              <dd>
                <a href={address('metrics')}>Metrics</a> · <a href={address('health/ready')}>Readiness</a>
              </dd>
            </dl>
          )}
        </Section>
        <Section title="Pods of this cluster" flush>
          {!pods.value && <Empty of={pods}>None.</Empty>}
          <ul class="rows">
            {pods.value?.map((pod) => (
              <li key={pod.bootId}>
                <div class="row-line">
                  <strong>{pod.pod}</strong>
                  <span class="small muted num">{pod.version}</span>
                  <span class="small muted push">
                    started <Ago at={pod.startedAt} />
                  </span>
                </div>
                <div class="small muted mono clamp" title="Boot id">
                  {pod.bootId}
                </div>
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}
