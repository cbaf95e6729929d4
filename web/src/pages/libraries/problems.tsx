import { plural } from '../../lib/format';
import type { Problem } from '../../lib/types';
import { Ago } from '../../ui/times';

const shown = 100;

export function Problems({ all }: { all: Problem[] }) {
  if (!all.length) return null;
  return (
    <details class="problems">
      <summary class="warn">{plural(all.length, 'problem')}</summary>
      <ul class="small">
        {all.slice(0, shown).map((each) => (
          <li key={each.path + each.reason}>
            <span class="mono prose">{each.path}</span>
            <span class="muted prose">
              {each.reason} · <Ago at={each.since} />
            </span>
          </li>
        ))}
      </ul>
      {all.length > shown && (
        <p class="small muted">
          And {plural(all.length - shown, 'more')}: <code>understudy library problems</code> lists them all.
        </p>
      )}
    </details>
  );
}
