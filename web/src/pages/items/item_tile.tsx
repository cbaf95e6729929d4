import { href } from '../../lib/router';
import type { Item } from '../../lib/types';
import { Badge } from '../../ui/badge';
import { subtitle } from './words';
import { Picture } from './picture';

export function ItemTile({ item, inside }: { item: Item; inside?: Item }) {
  return (
    <li>
      <a class="tile" href={href('items', item.id)}>
        <Picture item={item} />
        <span class="tile-name clamp">{item.name}</span>
        <span class="small muted clamp">{subtitle(item, inside)}</span>
        {item.locationType === 'Offline' && <Badge tone="bad">Offline</Badge>}
      </a>
    </li>
  );
}
