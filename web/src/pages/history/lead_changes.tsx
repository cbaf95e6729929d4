import { gapText, type LeadChange } from '../../lib/leads';
import { Clock } from '../../ui/times';

/** Who took the lead from whom, and how long nobody led between them. */
export function LeadChanges({ all }: { all: LeadChange[] }) {
  if (!all.length) return null;
  return (
    <ul class="taken small" aria-label="Changes of the lead">
      {all.slice(0, 12).map((each) => (
        <li key={each.at + each.pod}>
          <span class="num muted">
            <Clock at={new Date(each.at).toISOString()} seconds />
          </span>
          <span>
            <strong>{each.pod}</strong> {words(each)}
          </span>
          <span class="num">{gapText(each)}</span>
        </li>
      ))}
    </ul>
  );
}

function words(change: LeadChange): string {
  if (change.before === null) return 'took the lead';
  if (change.before === change.pod) return 'leads again';
  return `took the lead from ${change.before}, which ${change.silent ? 'fell silent' : 'let it go'}`;
}
