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

/** An item's picture, or a quiet placeholder that says what kind of thing it is. */
export function Picture({ item, large }: { item: Item; large?: boolean }) {
  const [broken, setBroken] = useState(false);
  const tag = item.imageTags?.Primary;
  const square = ['MusicAlbum', 'Audio', 'MusicArtist', 'Playlist'].includes(item.type);
  const wide = item.type === 'Episode' || item.type === 'Video';
  return (
    <span class={`picture ${square ? 'square' : wide ? 'wide' : ''} ${large ? 'large' : ''}`}>
      {tag && !broken ? (
        <img
          src={address(`Items/${item.id}/Images/Primary${query({ tag, maxWidth: large ? 600 : 300 })}`)}
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
