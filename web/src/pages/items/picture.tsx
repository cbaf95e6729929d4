import { useState } from 'preact/hooks';
import { address, query } from '../../lib/api';
import type { Item } from '../../lib/types';
import { Icon, type IconName } from '../../ui/icon';

const icons: Record<string, IconName> = {
  Series: 'screen',
  Season: 'screen',
  Episode: 'screen',
  MusicAlbum: 'music',
  MusicArtist: 'person',
  Audio: 'music',
  BoxSet: 'libraries',
  Playlist: 'tasks',
};

/** Whose picture an item shows: its own, a track that of its album. */
function source(item: Item): { id: string; tag: string } | undefined {
  const own = item.imageTags?.Primary;
  if (own) return { id: item.id, tag: own };
  return item.albumId && item.albumPrimaryImageTag ? { id: item.albumId, tag: item.albumPrimaryImageTag } : undefined;
}

/** An item's picture, or a quiet placeholder that says what kind of thing it is. */
export function Picture({ item, large }: { item: Item; large?: boolean }) {
  const [broken, setBroken] = useState(false);
  const from = source(item);
  const square = ['MusicAlbum', 'Audio', 'MusicArtist', 'Playlist'].includes(item.type);
  const wide = item.type === 'Episode' || item.type === 'Video';
  return (
    <span class={`picture ${square ? 'square' : wide ? 'wide' : ''} ${large ? 'large' : ''}`}>
      {from && !broken ? (
        <img
          src={address(`Items/${from.id}/Images/Primary${query({ tag: from.tag, maxWidth: large ? 600 : 300 })}`)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
        />
      ) : (
        <>
          <Icon name={icons[item.type] ?? 'items'} size={large ? 40 : 28} />
          <span class="initials" aria-hidden="true">
            {item.name.slice(0, 1)}
          </span>
        </>
      )}
    </span>
  );
}
