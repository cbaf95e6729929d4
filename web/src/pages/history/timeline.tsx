import { useState } from 'preact/hooks';
import { clock } from '../../lib/format';
import { useLive } from '../../lib/live';
import { useTaskNames } from '../../lib/names';
import { leadChanges, terms } from '../../lib/leads';
import { useNow } from '../../lib/time';
import { axisTicks, lanes, takeOvers } from '../../lib/timeline';
import type { Lead, Page, Pod, Run } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Select } from '../../ui/field';
import { Section } from '../../ui/section';
import { LaneBars } from './lane_bars';
import { LeadBars } from './lead_bars';
import { LeadChanges } from './lead_changes';
import { TakeOvers } from './take_overs';

const spans: [string, string][] = [
  ['15', 'Last 15 minutes'],
  ['60', 'Last hour'],
  ['360', 'Last 6 hours'],
  ['1440', 'Last day'],
  ['10080', 'Last week'],
];

/** Who led, which pod ran what, and which went on from which. */
export function Timeline() {
  const [chosen, setChosen] = useState('');
  const runs = useLive<Page<Run>>('cluster/runs?limit=500', 15_000);
  const pods = useLive<Pod[]>('cluster/pods', 6_000);
  const leads = useLive<{ items: Lead[] }>('cluster/leads?limit=200', 6_000).value?.items ?? [];
  const name = useTaskNames();
  const until = useNow(5_000);
  const all = runs.value?.items ?? [];
  const oldest = Math.min(...all.map((run) => (run.startedAt ? Date.parse(run.startedAt) : Infinity)));
  const minutes = chosen || (oldest > until - 15 * 60_000 ? '15' : '60'); // a young cluster is not lost in an empty hour
  const from = until - Number(minutes) * 60_000;
  const rows = lanes(
    all,
    from,
    until,
    pods.value?.map((pod) => pod.pod),
  );
  const taken = takeOvers(all).filter((each) => each.at >= from);
  return (
    <Section
      title="Pods over time"
      actions={<Select label="Time span" value={minutes} options={spans} onChange={setChosen} />}
    >
      {!runs.value ? (
        <Empty of={runs}>No run yet.</Empty>
      ) : (
        <>
          <div class="timeline">
            {leads.length > 0 && <LeadBars terms={terms(leads, until)} from={from} until={until} />}
            {rows.map((lane) => (
              <LaneBars key={lane.pod} lane={lane} name={name} until={until} />
            ))}
            <div class="axis" aria-hidden="true">
              {axisTicks(from, until)
                .map((tick) => ({ tick, left: ((tick - from) / (until - from)) * 100 }))
                .filter(({ left }) => left > 4 && left < 95)
                .map(({ tick, left }) => (
                  <span key={tick} class="small muted num" style={{ left: `${left}%` }}>
                    {clock(tick, until)}
                  </span>
                ))}
            </div>
          </div>
          <LeadChanges all={leadChanges(leads).filter((each) => each.at >= from)} />
          <TakeOvers all={taken} name={name} />
        </>
      )}
    </Section>
  );
}
