import { count } from '../../lib/format';
import { useLive } from '../../lib/live';
import { query } from '../../lib/api';
import { href } from '../../lib/router';
import type { Items, Library } from '../../lib/types';

const kinds: Record<string, [string, string][]> = {
  movies: [['Movie', 'films']],
  tvshows: [
    ['Series', 'series'],
    ['Season', 'seasons'],
    ['Episode', 'episodes'],
  ],
  music: [
    ['MusicArtist', 'artists'],
    ['MusicAlbum', 'albums'],
    ['Audio', 'tracks'],
  ],
};

export function LibraryCounts({ library }: { library: Library }) {
  return (
    <ul class="figures">
      {(kinds[library.collectionType] ?? []).map(([type, name]) => (
        <Figure key={type} library={library.itemId} type={type} name={name} />
      ))}
    </ul>
  );
}

function Figure({ library, type, name }: { library: string; type: string; name: string }) {
  const found = useLive<Items>(
    'Items' + query({ parentId: library, recursive: true, includeItemTypes: type, limit: 0 }),
    15_000,
  ).value;
  return (
    <li>
      <a href={href('items', '', { library, type })}>
        <strong class="num">{found ? count(found.totalRecordCount) : '–'}</strong>{' '}
        <span class="muted">{found?.totalRecordCount === 1 && name !== 'series' ? name.slice(0, -1) : name}</span>
      </a>
    </li>
  );
}
