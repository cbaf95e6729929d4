import { ago, duration } from '../../lib/format';
import type { Reading } from '../../lib/live';
import { standingNames, useTaskNames, type Tone } from '../../lib/names';
import { useNow } from '../../lib/time';
import type { Pod } from '../../lib/types';
import { Badge } from '../../ui/badge';
import { Empty } from '../../ui/empty';
import { Progress } from '../../ui/progress';
import { Section } from '../../ui/section';

function role(pod: Pod): { text: string; tone: Tone } {
  if (pod.state === 'silent')
    return {
      text:
        pod.lastStanding && pod.lastStanding !== 'unknown'
          ? `Silent, was ${standingNames[pod.lastStanding]?.toLowerCase()}`
          : 'Silent',
      tone: 'warn',
    };
  const standing = pod.standing ?? 'unknown';
  const tone = standing === 'leader' || standing === 'single' ? 'good' : standing === 'follower' ? 'plain' : 'warn';
  return { text: standingNames[standing] ?? standing, tone };
}

export function Pods({ reading }: { reading: Reading<Pod[]> }) {
  const now = useNow();
  const name = useTaskNames();
  const pods = [...(reading.value ?? [])].sort((a, b) => a.pod.localeCompare(b.pod, 'en', { numeric: true }));
  return (
    <Section
      title="Pods"
      note={
        pods.length ? `${pods.filter((pod) => pod.state === 'alive').length} of ${pods.length} heard from` : undefined
      }
      flush
    >
      {!pods.length && <Empty of={reading}>No pod has said that it is here.</Empty>}
      <ul class="rows">
        {pods.map((pod) => {
          const { text, tone } = role(pod);
          return (
            <li key={pod.bootId} class={`pod ${pod.state}`}>
              <div class="row-line">
                <strong>{pod.pod}</strong>
                <Badge tone={tone}>{text}</Badge>
                {pod.self && <span class="small muted">answers here</span>}
                <span class="small muted push num">{pod.version}</span>
              </div>
              <div class="small muted num">
                {pod.state === 'alive' && (
                  <>
                    up{' '}
                    {duration(
                      Math.floor((now - Date.parse(pod.startedAt)) / 60_000) * 60_000 ||
                        now - Date.parse(pod.startedAt),
                    )}{' '}
                    ·{' '}
                  </>
                )}
                {pod.state === 'alive' ? '' : 'last '}heard {ago(now - pod.heartbeatAgeMs, now)}
              </div>
              {pod.running.map((run) => (
                <div key={run.runId} class="pod-run">
                  <span class="small">{name(run.task)}</span>
                  <Progress value={run.progress} label={`${name(run.task)} on ${pod.pod}`} />
                  <span class="small num">{Math.floor(run.progress)} %</span>
                </div>
              ))}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
