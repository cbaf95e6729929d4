import { useState } from 'preact/hooks';
import { act } from '../../lib/actions';
import { useLive } from '../../lib/live';
import type { User } from '../../lib/types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Confirm } from '../../ui/confirm';
import { Empty } from '../../ui/empty';
import { Section } from '../../ui/section';

export function Users() {
  const users = useLive<User[]>('Users', 10_000);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [leaving, setLeaving] = useState<User | null>(null);
  if (users.error?.status === 404 || users.error?.status === 501) return null; // no users are kept here
  const add = async (event: Event) => {
    event.preventDefault();
    const wanted = { Name: name.trim(), Password: password };
    if (!wanted.Name || !(await act('POST', 'Users/New', `${wanted.Name} is added.`, wanted))) return;
    setName('');
    setPassword('');
  };
  return (
    <Section title="Users" flush>
      {!users.value?.length && <Empty of={users}>Nobody yet. What people play and like is kept for each user.</Empty>}
      <ul class="rows">
        {users.value?.map((user) => (
          <li key={user.id}>
            <div class="row-line">
              <strong>{user.name}</strong>
              {user.policy?.isAdministrator && <Badge>Administrator</Badge>}
              {user.policy?.isDisabled && <Badge tone="warn">Disabled</Badge>}
              <span class="push">
                <Button icon="trash" look="quiet" label={`Remove ${user.name}`} onClick={() => setLeaving(user)} />
              </span>
            </div>
          </li>
        ))}
      </ul>
      <form class="inline-form" onSubmit={add}>
        <input
          aria-label="Name of a new user"
          placeholder="Name"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <input
          aria-label="Password of a new user"
          placeholder="Password"
          type="password"
          autocomplete="new-password"
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" icon="plus">
          Add user
        </Button>
      </form>
      {leaving && (
        <Confirm
          danger
          title={`Remove ${leaving.name}?`}
          verb="Remove user"
          onClose={() => setLeaving(null)}
          onYes={() => act('DELETE', `Users/${leaving.id}`, `${leaving.name} is removed.`)}
        >
          <p>What {leaving.name} has played, liked and rated goes too. Their playlists stay and belong to nobody.</p>
        </Confirm>
      )}
    </Section>
  );
}
