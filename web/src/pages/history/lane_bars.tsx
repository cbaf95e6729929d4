import { clock, duration } from '../../lib/format';
import { stateNames, stateTones } from '../../lib/names';
import { tookMs, type Lane } from '../../lib/timeline';

/** The runs of one pod as bars; a screen reader hears how many there are, and the list below has each. */
export function LaneBars({ lane, name, until }: { lane: Lane; name: (key: string) => string; until: number }) {
  const failed = lane.bars.filter((bar) => bar.run.state === 'failed').length;
  return (
    <div class="lane">
      <span class="lane-name small">{lane.pod}</span>
      <div
        class="lane-track"
        role="img"
        aria-label={`${lane.pod}: ${lane.bars.length} runs${failed ? `, ${failed} failed` : ''}`}
      >
        {lane.bars.map(({ run, left, width }) => (
          <span
            key={run.runId}
            class={`bar ${stateTones[run.state]}`}
            style={{ left: `${left}%`, width: `${width}%` }}
            title={`${name(run.task)}\n${clock(Date.parse(run.startedAt!), until, undefined, true)}, ${duration(tookMs(run, until) ?? 0)}, ${stateNames[run.state]}`}
          />
        ))}
      </div>
    </div>
  );
}
