import { duration } from '../../lib/format';
import type { TakeOver } from '../../lib/timeline';
import { Clock } from '../../ui/times';

/** Runs that another pod went on with, and how long nobody worked on them. */
export function TakeOvers({ all, name }: { all: TakeOver[]; name: (key: string) => string }) {
  if (!all.length) return <p class="small muted legend">No run was taken over in this time.</p>;
  return (
    <ul class="taken small" aria-label="Take-overs">
      {all.slice(0, 12).map((each) => (
        <li key={each.at + each.task}>
          <span class="num muted">
            <Clock at={new Date(each.at).toISOString()} seconds />
          </span>
          <span>
            <strong>{each.to}</strong> went on with {name(each.task)} from{' '}
            {each.yielded ? <>{each.from}, which handed it over</> : <>{each.from}, which fell silent</>}
          </span>
          <span class="num">gap {duration(each.gapMs)}</span>
        </li>
      ))}
    </ul>
  );
}
