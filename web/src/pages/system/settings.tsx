import { useLive } from '../../lib/live';
import { go, href } from '../../lib/router';
import type { Setting } from '../../lib/types';
import { Badge } from '../../ui/badge';
import { Empty } from '../../ui/empty';
import { Section } from '../../ui/section';

/** What this pod was started with: every setting, what it is, and who said so. */
export function Settings({ params }: { params: Record<string, string> }) {
  const settings = useLive<{ items: Setting[] }>('cluster/settings', 60_000);
  const { find = '', which = '' } = params;
  const needle = find.toLowerCase();
  const list = (settings.value?.items ?? []).filter(
    (each) =>
      (which === '' || each.source !== 'default') &&
      (each.name.toLowerCase().includes(needle) || each.help.toLowerCase().includes(needle)),
  );
  const filter = (change: Record<string, string>, replace = false) =>
    go(href('system', 'settings', { find, which, ...change }), replace);
  return (
    <Section
      title="Settings of this pod"
      note="Read at its start"
      flush
      actions={
        <div class="filters" role="group" aria-label="Filter settings">
          <input
            type="search"
            aria-label="Find a setting"
            placeholder="Find a setting"
            value={find}
            onInput={(event) => filter({ find: event.currentTarget.value }, true)}
          />
          <select
            aria-label="Which settings"
            value={which}
            onChange={(event) => filter({ which: event.currentTarget.value })}
          >
            <option value="">All</option>
            <option value="set">That somebody set</option>
          </select>
        </div>
      }
    >
      {!list.length && <Empty of={settings}>No setting fits.</Empty>}
      <ul class="rows settings">
        {list.map((each) => (
          <li key={each.name}>
            <div class="row-line">
              <code class="setting-name">{each.name}</code>
              {each.source !== 'default' && <Badge tone="good">{each.source}</Badge>}
            </div>
            <p class="prose">
              <code>{shown(each)}</code>
              {each.source !== 'default' && each.default !== each.value && each.default !== '' && !each.secret && (
                <span class="small muted"> instead of {each.default}</span>
              )}
            </p>
            <p class="small muted prose">{each.help}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function shown(setting: Setting): string {
  if (setting.secret) return setting.source === 'default' ? 'not set' : 'kept secret';
  return setting.value === null || setting.value === '' ? 'empty' : setting.value;
}
