import { capital, duration, position, ticksPerMs } from '../../lib/format';
import type { Item, Media } from '../../lib/types';
import { Section } from '../../ui/section';
import { Fact } from '../now/fact';
import { TimeBar } from './time_bar';

function decibels(value: number | null, unit: string): string {
  return value === null ? 'not measured yet' : `${value.toFixed(1)} ${unit}`;
}

/** What the tasks found out: keyframes, loudness, segments. */
export function Findings({ item, media }: { item: Item; media: Media }) {
  const lengthMs = (item.runTimeTicks ?? 0) / ticksPerMs;
  const video = item.mediaType === 'Video';
  const keyframes = media.keyframesMs;
  const gap = keyframes && keyframes.length > 1 ? (keyframes.at(-1)! - keyframes[0]!) / (keyframes.length - 1) : null;
  return (
    <Section title="What the tasks found">
      <dl class="facts">
        {video && (
          <Fact name="Keyframes">
            {keyframes ? `${keyframes.length}${gap ? `, one every ${duration(gap)}` : ''}` : 'not extracted yet'}
          </Fact>
        )}
        {video && <Fact name="Segments">{media.segments?.length ? String(media.segments.length) : 'none known'}</Fact>}
        {!video && item.type === 'Audio' && <Fact name="Loudness">{decibels(media.loudnessLufs, 'LUFS')}</Fact>}
        {!video && <Fact name="Loudness of the album">{decibels(media.albumLoudnessLufs, 'LUFS')}</Fact>}
        {media.truePeakDb !== null && <Fact name="True peak">{decibels(media.truePeakDb, 'dBTP')}</Fact>}
      </dl>
      {lengthMs > 0 && video && <TimeBar lengthMs={lengthMs} media={media} />}
      {!!media.segments?.length && (
        <ul class="plain small segments">
          {[...media.segments]
            .sort((a, b) => a.startMs - b.startMs)
            .map((segment) => (
              <li key={segment.type + segment.startMs}>
                <span class={`dot seg-${segment.type.toLowerCase()}`} aria-hidden="true" />
                <strong>{capital(segment.type)}</strong>{' '}
                <span class="num">
                  {position(segment.startMs)} – {position(segment.endMs)}
                </span>{' '}
                <span class="muted">
                  {duration(segment.endMs - segment.startMs)}, from {segment.provider}
                </span>
              </li>
            ))}
        </ul>
      )}
    </Section>
  );
}
