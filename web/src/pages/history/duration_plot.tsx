import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { clock, duration } from '../../lib/format';
import { systemIsDark, theme } from '../../lib/theme';
import { useStore } from '../../lib/store';
import { tookMs } from '../../lib/timeline';
import type { Run } from '../../lib/types';

const height = 180;
/** Seconds between two lines: whole ones of the unit that they are written in. */
const steps = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30],
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * 60),
  ...[1, 2, 5, 10, 20, 50, 100].map((hours) => hours * 3600),
];

/** One point a run; `runs` oldest first. What it shows stands in words in the section's note and in the list below. */
export function DurationPlot({ runs, name }: { runs: Run[]; name: string }) {
  const box = useRef<HTMLDivElement>(null);
  const colours = useStore(theme);
  const dark = useStore(systemIsDark);
  const shown = runs.map((run) => run.runId).join();
  useEffect(() => {
    const host = box.current!;
    const style = getComputedStyle(host);
    const colour = (token: string) => style.getPropertyValue(token).trim();
    const seconds = (run: Run) => Math.max(0.001, tookMs(run, 0)! / 1000);
    const of = (good: boolean) => runs.map((run) => ((run.state === 'completed') === good ? seconds(run) : null));
    const points = (stroke: string) => ({ show: true, size: 7, fill: stroke, stroke, width: 0 });
    const axis = {
      stroke: colour('--muted'),
      font: '12px system-ui',
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
    const plot = new uPlot(
      {
        width: host.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: { y: { range: (_, __, max) => [0, max * 1.15 || 1] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            space: 90,
            size: 30,
            values: (_, ticks) =>
              ticks.map((tick) =>
                clock(
                  tick * 1000,
                  Date.now(),
                  undefined,
                  ticks.some((each) => each % 60 !== 0),
                ),
              ),
          },
          {
            ...axis,
            size: 72,
            incrs: steps,
            values: (_, ticks) => ticks.map((tick) => (tick === 0 ? '0' : duration(tick * 1000))),
          },
        ],
        series: [
          {},
          {
            label: 'completed',
            stroke: colour('--accent'),
            fill: colour('--accent-soft'),
            width: 1.5,
            spanGaps: true,
            points: points(colour('--accent')),
          },
          { label: 'other', stroke: colour('--bad'), width: 0, paths: () => null, points: points(colour('--bad')) },
        ],
      },
      [runs.map((run) => Date.parse(run.startedAt!) / 1000), of(true), of(false)],
      host,
    );
    const fit = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height }));
    fit.observe(host);
    return () => {
      fit.disconnect();
      plot.destroy();
    };
  }, [shown, colours, dark]);
  return (
    <>
      <div ref={box} class="plot" role="img" aria-label={`Durations of the last ${runs.length} runs of ${name}`} />
      <p class="legend small muted">
        <span class="dot good" /> completed <span class="dot bad" /> ended otherwise
      </p>
    </>
  );
}
