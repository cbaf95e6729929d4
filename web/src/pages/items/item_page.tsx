import { useLive } from '../../lib/live';
import { href } from '../../lib/router';
import type { Item, Media } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { PageFrame } from '../../ui/page';
import { Children } from './children';
import { Chapters } from './chapters';
import { Findings } from './findings';
import { ItemHead } from './item_head';
import { People } from './people';
import { Streams } from './streams';

const slowMs = 30_000;

export function ItemPage({ id, params }: { id: string; params: Record<string, string> }) {
  const item = useLive<Item>(`Items/${encodeURIComponent(id)}`, slowMs);
  const playable = !!item.value?.mediaSources?.length;
  const album = item.value?.type === 'MusicAlbum';
  const media = useLive<Media>(playable || album ? `cluster/items/${encodeURIComponent(id)}/media` : null, slowMs);
  const it = item.value;
  if (!it)
    return (
      <PageFrame title="Item" lead={<a href={href('items')}>All items</a>}>
        <Empty of={item}>There is no such item.</Empty>
      </PageFrame>
    );
  const up =
    it.type === 'Episode'
      ? (it.seasonId ?? it.seriesId)
      : it.type === 'Season'
        ? it.seriesId
        : it.type === 'Audio'
          ? it.albumId
          : undefined;
  return (
    <PageFrame
      title={it.name}
      lead={
        <a href={up ? href('items', up) : href('items')}>
          {up ? (it.seasonName ?? it.seriesName ?? it.album ?? 'Back') : 'All items'}
        </a>
      }
    >
      <div class="stack">
        <ItemHead item={it} />
        {media.value && <Findings item={it} media={media.value} />}
        {playable && <Chapters item={it} media={media.value} />}
        {it.isFolder && <Children item={it} params={params} />}
        {it.mediaSources?.map((source) => (
          <Streams key={source.id} source={source} several={it.mediaSources!.length > 1} />
        ))}
        {!!it.people?.length && <People people={it.people} />}
      </div>
    </PageFrame>
  );
}
