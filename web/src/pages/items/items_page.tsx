import { useEffect, useState } from 'preact/hooks';
import { query } from '../../lib/api';
import { useLive } from '../../lib/live';
import { go, href } from '../../lib/router';
import type { Items, Library } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Select } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { PageFrame } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { ItemTile } from './item_tile';

const size = 60;
const typePauseMs = 250;
const types: [string, string][] = [
  ['', 'Films, series, albums'],
  ['Movie', 'Films'],
  ['Series', 'Series'],
  ['Episode', 'Episodes'],
  ['MusicArtist', 'Artists'],
  ['MusicAlbum', 'Albums'],
  ['Audio', 'Tracks'],
  ['BoxSet', 'Collections'],
  ['Playlist', 'Playlists'],
];
const sorts: [string, string][] = [
  ['SortName', 'By name'],
  ['DateCreated', 'Newest here first'],
  ['ProductionYear', 'By year'],
];

export function ItemsPage({ params }: { params: Record<string, string> }) {
  const { library = '', type = '', q = '', sort = 'SortName' } = params;
  const at = Math.max(1, Number(params.page) || 1);
  const [typed, setTyped] = useState(q);
  const known = useLive<Library[]>('Library/VirtualFolders', 60_000).value;
  const libraries = known ?? [];
  const filter = (change: Record<string, string>, replace = false) =>
    go(href('items', '', { library, type, q, sort: sort === 'SortName' ? '' : sort, ...change }), replace);
  useEffect(() => setTyped(q), [q]);
  useEffect(() => {
    if (typed === q) return;
    const timer = setTimeout(() => filter({ q: typed }, true), typePauseMs);
    return () => clearTimeout(timer);
  });
  const found = useLive<Items>(
    'Items' +
      query({
        parentId: library,
        recursive: true,
        searchTerm: q.trim(),
        includeItemTypes:
          type ||
          (q.trim() ? 'Movie,Series,Episode,MusicArtist,MusicAlbum,Audio,BoxSet,Playlist' : 'Movie,Series,MusicAlbum'),
        sortBy: sort,
        sortOrder: sort === 'DateCreated' ? 'Descending' : undefined,
        startIndex: (at - 1) * size,
        limit: size,
      }),
    30_000,
  );
  const list = found.value?.items ?? [];
  return (
    <PageFrame title="Items">
      <div class="toolbar" role="search">
        <label class="search">
          <Icon name="search" size={16} />
          <input
            type="search"
            aria-label="Search by name"
            placeholder="Search by name"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <Select
          label="Library"
          value={library}
          onChange={(value) => filter({ library: value })}
          options={[['', 'All libraries'], ...libraries.map((each) => [each.itemId, each.name] as [string, string])]}
        />
        <Select label="Kind" value={type} onChange={(value) => filter({ type: value })} options={types} />
        <Select
          label="Order"
          value={sort}
          onChange={(value) => filter({ sort: value === 'SortName' ? '' : value })}
          options={sorts}
        />
      </div>
      {!list.length && (
        <Empty of={found}>
          {q ? (
            `Nothing here is called “${q}”.`
          ) : known?.length === 0 ? (
            <>
              Nothing here yet: <a href={href('libraries')}>add a library</a>.
            </>
          ) : (
            'Nothing here yet.'
          )}
        </Empty>
      )}
      <ul class="tiles">
        {list.map((item) => (
          <ItemTile key={item.id} item={item} />
        ))}
      </ul>
      {found.value && (
        <Pager
          page="items"
          params={{ library, type, q, sort: sort === 'SortName' ? '' : sort }}
          at={at}
          size={size}
          total={found.value.totalRecordCount}
          what="items"
        />
      )}
    </PageFrame>
  );
}
