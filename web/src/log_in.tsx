import { useEffect, useState } from 'preact/hooks';
import { ApiError } from './lib/api';
import { logInByKey, logInByName } from './lib/log_in';
import { farewell, session } from './lib/session';
import { useStore } from './lib/store';
import { Button } from './ui/button';
import { Check, TextField } from './ui/field';
import { Mark } from './ui/mark';

/** With a name and password (`named`: whether that is an option), else with an administrator's key. */
export function LogIn({ named }: { named: boolean }) {
  const [withName, setWithName] = useState(named);
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const [remember, setRemember] = useState(false);
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const why = useStore(farewell);

  useEffect(() => {
    document.title = 'Log in – Understudy';
  }, []);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFault('');
    try {
      session.begin(await (withName ? logInByName(name, secret) : logInByKey(secret)), remember);
    } catch (error) {
      const status = error instanceof ApiError ? error.status : -1;
      const unknown = withName ? 'Name or password are wrong.' : 'This key is not known here.';
      setFault(status === 401 ? unknown : error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };

  return (
    <main class="log-in">
      <form class="card" onSubmit={submit}>
        <div class="log-in-head">
          <Mark size={36} />
          <h1>Understudy</h1>
        </div>
        {why && !fault && (
          <p class="notice-line" role="status">
            {why}
          </p>
        )}
        {withName && (
          <TextField
            label="Name"
            name="username"
            autocomplete="username"
            required
            autofocus
            value={name}
            onChange={setName}
          />
        )}
        <TextField
          label={withName ? 'Password' : 'Administrator’s key'}
          hint={withName ? undefined : 'From Jellyfin:Api:BootstrapKey, or admin.key in the data folder.'}
          name="secret"
          type="password"
          autocomplete="current-password"
          required={!withName}
          autofocus={!withName}
          value={secret}
          onChange={setSecret}
        />
        <Check label="Remember me on this device" checked={remember} onChange={setRemember} />
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <Button type="submit" look="main" disabled={busy}>
          {busy ? 'Logging in …' : 'Log in'}
        </Button>
        {named && (
          <Button look="quiet" onClick={() => setWithName(!withName)}>
            {withName ? 'Use an administrator’s key' : 'Use a name and password'}
          </Button>
        )}
      </form>
    </main>
  );
}
