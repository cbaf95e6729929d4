import { useState } from 'preact/hooks';
import { act } from '../../lib/actions';
import { useLive } from '../../lib/live';
import { duration } from '../../lib/format';
import { tookMs } from '../../lib/timeline';
import type { Library, Page, Problem, Run } from '../../lib/types';
import { Button } from '../../ui/button';
import { Empty } from '../../ui/empty';
import { PageFrame } from '../../ui/page';
import { Ago } from '../../ui/times';
import { AddLibrary } from './add_library';
import { LibraryCard } from './library_card';

export function LibrariesPage() {
  const libraries = useLive<Library[]>('Library/VirtualFolders', 3_000);
  const problems = useLive<Page<Problem>>('cluster/problems', 10_000);
  const scans = useLive<Page<Run>>('cluster/runs?task=RefreshLibrary&limit=3', 5_000);
  const [adding, setAdding] = useState(false);
  const last = scans.value?.items.find((run) => run.endedAt);
  const list = [...(libraries.value ?? [])].sort((a, b) => a.name.localeCompare(b.name));
  return (
    <PageFrame
      title="Libraries"
      lead={
        last ? (
          <>
            Last scan <Ago at={last.endedAt!} />
            {last.pod ? ` by ${last.pod}` : ''}, took {duration(tookMs(last, 0) ?? 0)}
          </>
        ) : undefined
      }
      actions={
        <>
          <Button icon="refresh" onClick={() => act('POST', 'Library/Refresh', 'A scan was asked for.')}>
            Scan all
          </Button>
          <Button icon="plus" look="main" onClick={() => setAdding(true)}>
            Add library
          </Button>
        </>
      }
    >
      {!list.length && <Empty of={libraries}>No library yet. Add one: a folder with films, series or music.</Empty>}
      <div class="stack">
        {list.map((library) => (
          <LibraryCard
            key={library.itemId}
            library={library}
            problems={problems.value?.items.filter((each) => each.library === library.name) ?? []}
          />
        ))}
      </div>
      {adding && <AddLibrary onClose={() => setAdding(false)} />}
    </PageFrame>
  );
}
