import { query } from '../../lib/api';
import { plural } from '../../lib/format';
import { useLive } from '../../lib/live';
import type { Item, Items } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Pager } from '../../ui/pager';
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
const size = 120;

export function Children({ item, params }: { item: Item; params: Record<string, string> }) {
  const at = Math.max(1, Number(params.page) || 1);
  const found = useLive<Items>(
    'Items' +
      query({
        parentId: item.id,
        startIndex: (at - 1) * size,
        limit: size,
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
            <ItemTile key={child.id} item={child} inside={item} />
          ))}
        </ul>
      )}
      {found.value && found.value.totalRecordCount > size && (
        <Pager
          page="items"
          id={item.id}
          params={params}
          at={at}
          size={size}
          total={found.value.totalRecordCount}
          what="items"
        />
      )}
    </Section>
  );
}
