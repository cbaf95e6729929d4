import { query } from '../../lib/api';
import { plural } from '../../lib/format';
import { useLive } from '../../lib/live';
import type { Item, Items } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Section } from '../../ui/section';
import { ItemTile } from './item_tile';
import { TrackList } from './track_list';

const names: Record<string, string> = {
  Series: 'Seasons',
  Season: 'Episodes',
  MusicArtist: 'Albums',
  MusicAlbum: 'Tracks',
  BoxSet: 'In this collection',
  Playlist: 'In this playlist',
};
const most = 500;

export function Children({ item }: { item: Item }) {
  const found = useLive<Items>(
    'Items' +
      query({
        parentId: item.id,
        limit: most,
        sortBy:
          item.type === 'Series' || item.type === 'Season' || item.type === 'MusicAlbum'
            ? 'ParentIndexNumber,IndexNumber,SortName'
            : undefined,
      }),
    30_000,
  );
  const list = found.value?.items ?? [];
  return (
    <Section
      title={names[item.type] ?? 'Below it'}
      note={list.length ? plural(found.value!.totalRecordCount, 'item') : undefined}
      flush={item.type === 'MusicAlbum'}
    >
      {!list.length && <Empty of={found}>Nothing is in it.</Empty>}
      {item.type === 'MusicAlbum' ? (
        <TrackList tracks={list} />
      ) : (
        <ul class="tiles small-tiles">
          {list.map((child) => (
            <ItemTile key={child.id} item={child} />
          ))}
        </ul>
      )}
    </Section>
  );
}
