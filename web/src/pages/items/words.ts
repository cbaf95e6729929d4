import { position, ticksPerMs } from '../../lib/format';
import type { Item, Stream } from '../../lib/types';

/** `S01E03`. */
export function episodeNumber(item: Item): string {
  const pad = (n: number) => String(n).padStart(2, '0');
  const season = item.parentIndexNumber !== undefined ? `S${pad(item.parentIndexNumber)}` : '';
  return item.indexNumber !== undefined ? `${season}E${pad(item.indexNumber)}` : season;
}

/** The line below an item's name in a list; `inside`: what the whole list is in need not be said again. */
export function subtitle(item: Item, inside?: Item): string {
  switch (item.type) {
    case 'Episode':
      return [inside?.type === 'Season' ? '' : item.seriesName, episodeNumber(item)].filter(Boolean).join(' · ');
    case 'Season':
      return inside ? '' : (item.seriesName ?? '');
    case 'MusicAlbum':
      return [inside?.type === 'MusicArtist' ? '' : item.albumArtist, item.productionYear].filter(Boolean).join(' · ');
    case 'Audio':
      return [item.albumArtist, item.album].filter(Boolean).join(' · ');
    case 'MusicArtist':
      return 'Artist';
    case 'BoxSet':
      return 'Collection';
    case 'Playlist':
      return 'Playlist';
    default:
      return [item.productionYear, item.runTimeTicks ? position(item.runTimeTicks / ticksPerMs) : '']
        .filter(Boolean)
        .join(' · ');
  }
}

/** What is worth knowing of a stream beside its codec. */
export function streamFacts(stream: Stream): string {
  const facts: (string | undefined | false | 0)[] =
    stream.type === 'Video'
      ? [
          stream.width && `${stream.width} × ${stream.height}`,
          stream.averageFrameRate && `${Number(stream.averageFrameRate.toFixed(3))} fps`,
          stream.videoRange === 'HDR' && 'HDR',
          stream.bitDepth && `${stream.bitDepth} bit`,
          stream.profile,
        ]
      : stream.type === 'Audio'
        ? [
            stream.channelLayout ?? (stream.channels ? `${stream.channels} channels` : undefined),
            stream.sampleRate && `${stream.sampleRate / 1000} kHz`,
            stream.profile,
          ]
        : [];
  return [...facts, stream.isDefault && 'default', stream.isForced && 'forced', stream.isExternal && 'own file']
    .filter(Boolean)
    .join(' · ');
}
