import { useState } from 'preact/hooks';
import { tell } from '../../lib/actions';
import { ask } from '../../lib/api';
import { useLive } from '../../lib/live';
import { session } from '../../lib/session';
import { useStore } from '../../lib/store';
import type { Library, User } from '../../lib/types';
import { FormDialog } from '../../ui/form_dialog';
import { Check, TextField } from '../../ui/field';

/** What an administrator may change of somebody. Of the policy what is not shown goes back as it came. */
export function UserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const policy = user.policy ?? {};
  const [name, setName] = useState(user.name);
  const [password, setPassword] = useState('');
  const [current, setCurrent] = useState('');
  const who = useStore(session);
  const own = who?.kind === 'user' && (who.id ? who.id === user.id : who.name === user.name);
  const [admin, setAdmin] = useState(!!policy.isAdministrator);
  const [disabled, setDisabled] = useState(!!policy.isDisabled);
  const [shown, setShown] = useState(policy.isHidden === false);
  const [all, setAll] = useState(policy.enableAllFolders !== false);
  const [open, setOpen] = useState(() => new Set(policy.enabledFolders ?? []));
  const libraries = useLive<Library[]>('Library/VirtualFolders', 30_000).value ?? [];
  const save = async () => {
    if (name.trim() !== user.name)
      await ask(`Users?userId=${user.id}`, { method: 'POST', body: { Name: name.trim() } });
    // The password first: an administrator must have one.
    if (password)
      await ask(`Users/Password?userId=${user.id}`, { method: 'POST', body: { CurrentPw: current, NewPw: password } });
    const wanted = {
      ...policy,
      isAdministrator: admin,
      isDisabled: disabled,
      isHidden: !shown,
      enableAllFolders: all,
      enabledFolders: [...open],
    };
    await ask(`Users/${user.id}/Policy`, { method: 'POST', body: wanted });
    tell(`${name.trim()} is stored.${password ? ' Other logins of theirs have ended.' : ''}`);
  };
  const choose = (id: string, on: boolean) => {
    const next = new Set(open);
    if (on) next.add(id);
    else next.delete(id);
    setOpen(next);
  };
  return (
    <FormDialog title={`Edit ${user.name}`} verb="Save" onClose={onClose} onSave={save}>
      <TextField label="Name" name="user-name" value={name} onChange={setName} />
      <TextField
        label="New password"
        hint="Empty: it stays as it is. Another one ends all other logins."
        name="new-password"
        type="password"
        autocomplete="new-password"
        value={password}
        onChange={setPassword}
      />
      {own && password && (
        <TextField
          label="Password until now"
          name="current-password"
          type="password"
          autocomplete="current-password"
          value={current}
          onChange={setCurrent}
        />
      )}
      <fieldset>
        <legend>Rights</legend>
        <Check label="Administrator" checked={admin} onChange={setAdmin} />
        <Check
          label="Disabled"
          hint="Logins end on all pods, and no new one is let in."
          checked={disabled}
          onChange={setDisabled}
        />
        <Check label="Shown on log-in pages" checked={shown} onChange={setShown} />
      </fieldset>
      <fieldset>
        <legend>Libraries</legend>
        <Check label="All, also those that are added later" checked={all} onChange={setAll} />
        {!all &&
          libraries.map((library) => (
            <Check
              key={library.itemId}
              label={library.name}
              checked={open.has(library.itemId)}
              onChange={(on) => choose(library.itemId, on)}
            />
          ))}
      </fieldset>
    </FormDialog>
  );
}
