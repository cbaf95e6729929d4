import { useState } from 'preact/hooks';
import { act, tell } from '../../lib/actions';
import { query, read } from '../../lib/api';
import { collectionNames } from '../../lib/names';
import { href } from '../../lib/router';
import type { Library, Problem } from '../../lib/types';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Confirm } from '../../ui/confirm';
import { Progress } from '../../ui/progress';
import { Section } from '../../ui/section';
import { LibraryCounts } from './library_counts';
import { LibraryOptionsEditor } from './library_options_editor';
import { Problems } from './problems';
import { isOffline } from './offline';

export function LibraryCard({ library, problems }: { library: Library; problems: Problem[] }) {
  const [asking, setAsking] = useState<'' | 'options' | 'missing' | 'remove'>('');
  const close = () => setAsking('');
  const removeMissing = async () => {
    try {
      const { removed } = await read<{ removed: number }>(
        'Library/Missing/Remove' + query({ library: library.name, confirm: true }),
        { method: 'POST' },
      );
      tell(
        removed ? `${removed} missing items of ${library.name} are removed.` : `${library.name} has no missing items.`,
      );
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), true);
    }
  };
  return (
    <Section
      title={library.name}
      note={collectionNames[library.collectionType] ?? library.collectionType}
      actions={
        <>
          <a class="button quiet" href={href('items', '', { library: library.itemId })}>
            Browse
          </a>
          <Button look="quiet" onClick={() => setAsking('missing')}>
            Remove missing …
          </Button>
          <Button icon="options" look="quiet" onClick={() => setAsking('options')}>
            Options
          </Button>
          <Button
            icon="trash"
            look="quiet"
            label={`Remove the library ${library.name}`}
            onClick={() => setAsking('remove')}
          />
        </>
      }
    >
      <div class="library">
        <LibraryCounts library={library} />
        <ul class="paths" aria-label="Folders">
          {library.locations.map((path) => (
            <li key={path}>
              <span class="mono clamp" title={path}>
                {path}
              </span>
              {isOffline(path, problems) ? <Badge tone="bad">Offline</Badge> : <Badge tone="good">Online</Badge>}
            </li>
          ))}
        </ul>
        {library.refreshStatus === 'Active' && (
          <div class="run-bar">
            <Progress value={library.refreshProgress ?? 0} label={`Scan of ${library.name}`} />
            <span class="num small">scan {Math.floor(library.refreshProgress ?? 0)} %</span>
          </div>
        )}
        {library.refreshStatus === 'Queued' && <p class="small muted">A scan waits for its turn.</p>}
        <Problems all={problems} />
      </div>
      {asking === 'options' && <LibraryOptionsEditor library={library} onClose={close} />}
      {asking === 'missing' && (
        <Confirm danger title="Remove missing items?" verb="Remove them" onClose={close} onYes={removeMissing}>
          <p>
            Items of {library.name} whose files are gone are taken out of the library. Items in folders that are merely
            offline are among them: make sure that every folder is there. What people have played and liked is kept for
            a while (Jellyfin:UserData:KeepDays) and comes back with the files.
          </p>
        </Confirm>
      )}
      {asking === 'remove' && (
        <Confirm
          danger
          title={`Remove ${library.name}?`}
          verb="Remove library"
          onClose={close}
          onYes={() =>
            act(
              'DELETE',
              'Library/VirtualFolders' + query({ name: library.name, refreshLibrary: false }),
              `${library.name} is removed.`,
            )
          }
        >
          <p>
            The library and all that is known of its items go from the database; no file is touched. What people have
            played and liked is kept for a while (Jellyfin:UserData:KeepDays) and comes back with the files.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
