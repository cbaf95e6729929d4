import { useState } from 'preact/hooks';
import { act, tell } from '../../lib/actions';
import { query } from '../../lib/api';
import { useLive } from '../../lib/live';
import type { ApiKey, Device } from '../../lib/types';
import { Button } from '../../ui/button';
import { Confirm } from '../../ui/confirm';
import { Empty } from '../../ui/empty';
import { Section } from '../../ui/section';
import { Ago } from '../../ui/times';

/** How programs and people come in. */
export function Access() {
  return (
    <div class="columns even">
      <Keys />
      <Devices />
    </div>
  );
}

function Keys() {
  const keys = useLive<{ items: ApiKey[] }>('Auth/Keys', 10_000);
  const [app, setApp] = useState('');
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const add = async (event: Event) => {
    event.preventDefault();
    const wanted = app.trim();
    if (wanted && (await act('POST', 'Auth/Keys' + query({ app: wanted }), `A key for ${wanted} is made.`))) setApp('');
  };
  const copy = (key: ApiKey) =>
    navigator.clipboard.writeText(key.accessToken).then(
      () => tell(`The key of ${key.appName} is copied.`),
      () => tell('The browser does not let a page copy here: mark the key and copy it by hand.', true),
    );
  return (
    <Section title="Keys of programs" note="May do what an administrator may" flush>
      {!keys.value?.items.length && <Empty of={keys}>No program has a key.</Empty>}
      <ul class="rows">
        {keys.value?.items.map((key) => (
          <li key={key.id}>
            <div class="row-line">
              <strong class="clamp">{key.appName}</strong>
              <span class="small muted">
                since <Ago at={key.dateCreated} />
              </span>
              <span class="push inline">
                {window.isSecureContext && (
                  <Button look="quiet" onClick={() => copy(key)}>
                    Copy
                  </Button>
                )}
                <Button
                  icon="trash"
                  look="quiet"
                  label={`Revoke the key of ${key.appName}`}
                  onClick={() => setLeaving(key)}
                />
              </span>
            </div>
            <details class="small">
              <summary class="muted">Show the key</summary>
              <code class="prose">{key.accessToken}</code>
            </details>
          </li>
        ))}
      </ul>
      <form class="inline-form" onSubmit={add}>
        <input
          aria-label="Program of a new key"
          placeholder="Program, e.g. Sonarr"
          value={app}
          onInput={(event) => setApp(event.currentTarget.value)}
        />
        <Button type="submit" icon="plus">
          Make key
        </Button>
      </form>
      {leaving && (
        <Confirm
          danger
          title={`Revoke the key of ${leaving.appName}?`}
          verb="Revoke key"
          onClose={() => setLeaving(null)}
          onYes={() =>
            act(
              'DELETE',
              `Auth/Keys/${encodeURIComponent(leaving.accessToken)}`,
              `The key of ${leaving.appName} is revoked.`,
            )
          }
        >
          <p>All pods refuse it from the next request on.</p>
        </Confirm>
      )}
    </Section>
  );
}

function Devices() {
  const devices = useLive<{ items: Device[] }>('Devices', 10_000);
  const [leaving, setLeaving] = useState<Device | null>(null);
  return (
    <Section title="Devices" note="Where somebody is logged in" flush>
      {!devices.value?.items.length && <Empty of={devices}>Nobody is logged in anywhere.</Empty>}
      <ul class="rows">
        {devices.value?.items.map((device) => (
          <li key={device.id}>
            <div class="row-line">
              <strong class="clamp">{device.name}</strong>
              <span class="push">
                <Button icon="leave" look="quiet" label={`Log out ${device.name}`} onClick={() => setLeaving(device)} />
              </span>
            </div>
            <p class="small muted">
              {device.lastUserName} · {device.appName} {device.appVersion} · <Ago at={device.dateLastActivity} />
            </p>
          </li>
        ))}
      </ul>
      {leaving && (
        <Confirm
          danger
          title={`Log out ${leaving.name}?`}
          verb="Log out"
          onClose={() => setLeaving(null)}
          onYes={() => act('DELETE', 'Devices' + query({ id: leaving.id }), `${leaving.name} is logged out.`)}
        >
          <p>Everybody who is logged in there has to log in again.</p>
        </Confirm>
      )}
    </Section>
  );
}
