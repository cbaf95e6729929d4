import { useEffect, useState } from 'preact/hooks';
import { ApiError, read } from './lib/api';
import { firstStart } from './lib/log_in';
import { session } from './lib/session';
import { Button } from './ui/button';
import { TextField } from './ui/field';
import { Mark } from './ui/mark';

/** The first start: a name for the server and the first administrator. Libraries come afterwards, on their own page. */
export function Wizard({ onKey, onDone }: { onKey: () => void; onDone: () => void }) {
  const [serverName, setServerName] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    document.title = 'Welcome – Understudy';
    read<{ serverName?: string }>('Startup/Configuration', { as: null }).then(
      (asked) => setServerName((typed) => typed || (asked.serverName ?? '')),
      () => undefined,
    );
  }, []);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    if (password !== again) return setFault('The two passwords are not the same.');
    setBusy(true);
    setFault('');
    try {
      session.begin(await firstStart(serverName, name.trim(), password), false);
    } catch (error) {
      // Somebody else, perhaps on another pod, was through it first.
      const late = error instanceof ApiError && (error.status === 401 || error.status === 403);
      setBusy(false);
      if (late) return onDone();
      setFault(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <main class="log-in">
      <form class="card" onSubmit={submit}>
        <div class="log-in-head">
          <Mark size={36} />
          <h1>Welcome</h1>
        </div>
        <p class="muted">This server is new. Give it a name, and make the first administrator.</p>
        <TextField
          label="Server name"
          hint="What clients show."
          name="server"
          required
          value={serverName}
          onChange={setServerName}
        />
        <TextField
          label="Your name"
          name="username"
          autocomplete="username"
          required
          autofocus
          value={name}
          onChange={setName}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autocomplete="new-password"
          required
          value={password}
          onChange={setPassword}
        />
        <TextField
          label="Password again"
          name="again"
          type="password"
          autocomplete="new-password"
          required
          value={again}
          onChange={setAgain}
        />
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <Button type="submit" look="main" disabled={busy}>
          {busy ? 'Setting up …' : 'Start'}
        </Button>
        <Button look="quiet" onClick={onKey}>
          Use an administrator’s key
        </Button>
      </form>
    </main>
  );
}
