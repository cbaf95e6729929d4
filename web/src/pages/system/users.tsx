import { useState } from 'preact/hooks';
import { act } from '../../lib/actions';
import { useLive } from '../../lib/live';
import type { User } from '../../lib/types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Confirm } from '../../ui/confirm';
import { Empty } from '../../ui/empty';
import { Section } from '../../ui/section';
import { Ago } from '../../ui/times';
import { UserDialog } from './user_dialog';

export function Users() {
  const users = useLive<User[]>('Users', 10_000);
  const [leaving, setLeaving] = useState<User | null>(null);
  const [editing, setEditing] = useState<User | null>(null);
  return (
    <Section title="Users" flush>
      {!users.value?.length && <Empty of={users}>Nobody yet. What people play and like is kept for each user.</Empty>}
      <ul class="rows">
        {users.value?.map((user) => (
          <li key={user.id}>
            <div class="row-line">
              <strong class="clamp">{user.name}</strong>
              {user.policy?.isAdministrator && <Badge>Administrator</Badge>}
              {user.policy?.isDisabled && <Badge tone="warn">Disabled</Badge>}
              {!user.hasPassword && <Badge tone="warn">No password</Badge>}
              {user.policy?.enableAllFolders === false && <Badge>Some libraries</Badge>}
              <span class="push inline">
                {user.lastActivityDate && (
                  <span class="small muted wide-only">
                    seen <Ago at={user.lastActivityDate} />
                  </span>
                )}
                <Button icon="edit" look="quiet" label={`Edit ${user.name}`} onClick={() => setEditing(user)} />
                <Button icon="trash" look="quiet" label={`Remove ${user.name}`} onClick={() => setLeaving(user)} />
              </span>
            </div>
          </li>
        ))}
      </ul>
      <AddUser />
      {editing && <UserDialog user={editing} onClose={() => setEditing(null)} />}
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

function AddUser() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const add = async (event: Event) => {
    event.preventDefault();
    const wanted = { Name: name.trim(), Password: password };
    if (!wanted.Name || !(await act('POST', 'Users/New', `${wanted.Name} is added.`, wanted))) return;
    setName('');
    setPassword('');
  };
  return (
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
  );
}
