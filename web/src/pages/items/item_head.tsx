import { position, ticksPerMs } from '../../lib/format';
import type { Item } from '../../lib/types';
import { Badge } from '../../ui/badge';
import { Picture } from './picture';
import { episodeNumber } from './words';

export function ItemHead({ item }: { item: Item }) {
  const facts = [
    item.type === 'Episode' ? `${item.seriesName ?? ''} ${episodeNumber(item)}`.trim() : '',
    item.albumArtist,
    item.productionYear,
    item.officialRating,
    item.runTimeTicks ? position(item.runTimeTicks / ticksPerMs) : '',
    item.communityRating ? `rated ${item.communityRating.toFixed(1)}` : '',
    ...(item.genres ?? []),
  ].filter(Boolean);
  return (
    <section class="card item-head" aria-label="About">
      <Picture item={item} large />
      <div>
        <p class="facts-line">{facts.join(' · ')}</p>
        {item.locationType === 'Offline' && (
          <p>
            <Badge tone="bad">Offline: its file is not there right now</Badge>
          </p>
        )}
        {item.overview && <p class="prose overview">{item.overview}</p>}
        {item.path && <p class="small muted mono prose">{item.path}</p>}
      </div>
    </section>
  );
}
