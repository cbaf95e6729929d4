import { useLive } from './lib/live';
import { href } from './lib/router';
import { session } from './lib/session';
import { theme, type Theme } from './lib/theme';
import { useStore } from './lib/store';
import type { Leader } from './lib/types';
import { ask } from './lib/api';
import { Button } from './ui/button';
import { Select } from './ui/field';
import { Icon, type IconName } from './ui/icon';
import { Mark } from './ui/mark';

const pages: [string, string, IconName][] = [
  ['now', 'Now', 'now'],
  ['tasks', 'Tasks', 'tasks'],
  ['history', 'History', 'history'],
  ['libraries', 'Libraries', 'libraries'],
  ['items', 'Items', 'items'],
  ['system', 'System', 'system'],
];

export function Nav({ page }: { page: string }) {
  const who = useStore(session);
  const chosen = useStore(theme);
  const leader = useLive<Leader>('cluster/leader').value;
  const leave = async () => {
    if (who?.kind === 'user') await ask('Sessions/Logout', { method: 'POST' }).catch(() => undefined);
    session.end();
  };
  return (
    <header class="side">
      <a class="brand" href={href('now')}>
        <Mark />
        <span>Understudy</span>
      </a>
      <nav aria-label="Pages">
        {pages.map(([key, name, icon]) => (
          <a key={key} href={href(key)} aria-current={page === key ? 'page' : undefined}>
            <Icon name={icon} />
            <span>{name}</span>
          </a>
        ))}
      </nav>
      <div class="side-foot">
        {leader && (
          <p class="small muted answering" title="The pod that answers this window">
            Answered by <strong>{leader.pod}</strong>
          </p>
        )}
        <Select
          label="Colours"
          value={chosen}
          onChange={(value) => theme.set(value as Theme)}
          options={[
            ['auto', 'As the system'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
        />
        <Button icon="leave" look="quiet" onClick={leave}>
          Log out
        </Button>
      </div>
    </header>
  );
}
