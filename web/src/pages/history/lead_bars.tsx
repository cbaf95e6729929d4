import { clock, duration } from '../../lib/format';
import type { Term } from '../../lib/leads';

const named = 9; // per cent: a narrower bar holds no name

/** Who led. Hatched: nobody. */
export function LeadBars({ terms, from, until }: { terms: readonly Term[]; from: number; until: number }) {
  const percent = (at: number) => ((Math.max(from, Math.min(until, at)) - from) / (until - from)) * 100;
  const shown = terms.filter((term) => term.until >= from && term.until > term.from);
  const said = shown
    .map(
      (term) =>
        `${term.pod ?? 'nobody'} from ${clock(term.from, until, undefined, true)} for ${duration(term.until - term.from)}`,
    )
    .join(', ');
  return (
    <div class="lane lead">
      <span class="lane-name small">Lead</span>
      <div class="lane-track" role="img" aria-label={`Lead: ${said || 'nobody'}`}>
        {shown.map((term) => (
          <span
            key={term.from}
            class={`term ${term.pod === null ? 'nobody' : percent(term.until) - percent(term.from) < named ? 'narrow' : ''}`}
            style={{ left: `${percent(term.from)}%`, width: `${percent(term.until) - percent(term.from)}%` }}
            title={`${term.pod ?? 'Nobody'}: ${clock(term.from, until, undefined, true)}, ${duration(term.until - term.from)}`}
          >
            {percent(term.until) - percent(term.from) >= named && term.pod}
          </span>
        ))}
      </div>
    </div>
  );
}
