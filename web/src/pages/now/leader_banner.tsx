import { useState } from 'preact/hooks';
import { act } from '../../lib/actions';
import { clock, duration, fullTime } from '../../lib/format';
import { leaderStory, storeName } from '../../lib/leader';
import { gapText, leadChanges } from '../../lib/leads';
import { useLive, type Reading } from '../../lib/live';
import { useNow } from '../../lib/time';
import type { Lead, Leader, Pod, Ready } from '../../lib/types';
import { Button } from '../../ui/button';
import { Confirm } from '../../ui/confirm';
import { Empty } from '../../ui/empty';
import { Fact } from './fact';
import { LeaseBar } from './lease_bar';

export function LeaderBanner({ reading, ready, pods }: { reading: Reading<Leader>; ready?: Ready; pods?: Pod[] }) {
  const now = useNow();
  const change = leadChanges(useLive<{ items: Lead[] }>('cluster/leads?limit=2', 4_000).value?.items ?? [])[0];
  const [asking, setAsking] = useState(false);
  const leader = reading.value;
  if (!leader)
    return (
      <section class="card leader" aria-label="Leader">
        <Empty of={reading}>Nothing is known yet.</Empty>
      </section>
    );
  const silent =
    !!pods?.some((pod) => pod.pod === leader.holder?.pod && pod.state === 'silent') &&
    !pods.some((pod) => pod.pod === leader.holder?.pod && pod.state === 'alive');
  const story = leaderStory(leader, now, silent);
  const single = leader.standing === 'single';
  const leads = leader.standing === 'leader';
  const store = leader.outage ? 'does not answer' : 'answers';
  return (
    <section class={`card leader ${story.tone}`} aria-labelledby="leader-title">
      <div class="leader-top">
        <div class="leader-words" aria-live="polite">
          <p class="eyebrow">{single ? 'Single instance' : 'Scan leader'}</p>
          <h2 id="leader-title">{story.title}</h2>
          <p class="muted">{story.detail}</p>
        </div>
        {!single && (
          <Button
            icon="handover"
            disabled={!leads}
            title={
              leads
                ? undefined
                : `This window is answered by ${leader.pod}, which does not lead: ask the leader itself.`
            }
            onClick={() => setAsking(true)}
          >
            Hand over
          </Button>
        )}
      </div>
      {!single && <LeaseBar leader={leader} />}
      <dl class="facts">
        {story.since !== null && (
          <Fact name="Since" title={fullTime(story.since)}>
            {clock(story.since, now)} · {duration(Math.floor((now - story.since) / 1000) * 1000)}
          </Fact>
        )}
        {change && change.gapMs !== null && (
          <Fact name="Taken over" title="How long nobody led before">
            {change.before !== change.pod ? `from ${change.before}, ` : ''}
            {gapText(change)}
          </Fact>
        )}
        {leader.term > 0 && <Fact name="Term">{String(leader.term)}</Fact>}
        {!single && (
          <Fact name={`Lease in ${storeName(leader)}`} tone={leader.outage ? 'bad' : 'good'}>
            {store}
          </Fact>
        )}
        {ready && (
          <Fact name="Database" tone={ready.database.reachable ? 'good' : 'bad'}>
            {ready.database.reachable ? 'answers' : (ready.database.detail ?? 'does not answer')}
          </Fact>
        )}
        <Fact name="Timers" tone={leader.timersPaused ? 'warn' : 'good'}>
          {leader.timersPaused === null ? 'not known yet' : leader.timersPaused ? 'paused' : 'on'}
        </Fact>
        {ready && <Fact name="Version">{ready.version}</Fact>}
      </dl>
      {asking && (
        <Confirm
          title="Hand over the lead?"
          verb="Hand over"
          onClose={() => setAsking(false)}
          onYes={() => act('POST', 'cluster/leader/resign', `${leader.pod} hands over.`)}
        >
          <p>
            {leader.pod} stops what it runs at the next checkpoint, gives up the lead and leaves it to the others for a
            while. Another pod goes on from the checkpoint. Where no other pod is there it leads again.
          </p>
        </Confirm>
      )}
    </section>
  );
}
