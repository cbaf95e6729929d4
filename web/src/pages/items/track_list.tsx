import { position, ticksPerMs } from '../../lib/format';
import { href } from '../../lib/router';
import type { Item } from '../../lib/types';

export function TrackList({ tracks }: { tracks: Item[] }) {
  return (
    <ol class="rows tracks">
      {tracks.map((track) => (
        <li key={track.id}>
          <span class="num muted small">{track.indexNumber ?? '–'}</span>
          <a href={href('items', track.id)}>{track.name}</a>
          <span class="num muted small push">
            {track.runTimeTicks ? position(track.runTimeTicks / ticksPerMs) : ''}
          </span>
        </li>
      ))}
    </ol>
  );
}
