import { bitrate, bytes } from '../../lib/format';
import type { MediaSource } from '../../lib/types';
import { Badge } from '../../ui/badge';
import { Section } from '../../ui/section';
import { streamFacts } from './words';

export function Streams({ source, several }: { source: MediaSource; several: boolean }) {
  const note = [source.container, bytes(source.size), source.bitrate ? bitrate(source.bitrate) : '']
    .filter(Boolean)
    .join(' · ');
  return (
    <Section title={several ? source.name : 'File and streams'} note={note} flush>
      <ul class="rows streams">
        {source.mediaStreams.map((stream) => (
          <li key={stream.index}>
            <span class="small muted num">{stream.index}</span>
            <Badge>{stream.type === 'EmbeddedImage' ? 'Picture' : stream.type}</Badge>
            <strong>{stream.codec ?? '–'}</strong>
            <span class="small">{[stream.language, stream.title].filter(Boolean).join(' · ')}</span>
            <span class="small muted num">{streamFacts(stream)}</span>
            <span class="small muted num push">{stream.bitRate ? bitrate(stream.bitRate) : ''}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
