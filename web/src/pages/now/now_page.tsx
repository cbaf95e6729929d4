import { useLive } from '../../lib/live';
import type { Leader, Pod, Ready } from '../../lib/types';
import { PageFrame } from '../../ui/page';
import { DueNext } from './due_next';
import { FirstStep } from './first_step';
import { HealthNotes } from './health_notes';
import { LeaderBanner } from './leader_banner';
import { Pods } from './pods';
import { Running } from './running';
import { Skipped } from './skipped';

/** Who leads, what runs where, what comes next, why did nothing run. */
export function NowPage() {
  const leader = useLive<Leader>('cluster/leader');
  const pods = useLive<Pod[]>('cluster/pods');
  const ready = useLive<Ready>('health/ready', 4_000);
  return (
    <PageFrame title="Now">
      <LeaderBanner reading={leader} ready={ready.value} pods={pods.value} />
      <FirstStep />
      {ready.value && <HealthNotes ready={ready.value} />}
      <div class="columns">
        <div class="stack">
          <Running />
          <DueNext />
        </div>
        <div class="stack">
          <Pods reading={pods} />
          <Skipped />
        </div>
      </div>
    </PageFrame>
  );
}
