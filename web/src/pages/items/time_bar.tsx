import { position } from '../../lib/format';
import type { Media } from '../../lib/types';

const most = 400; // keyframes that are drawn: more would be one grey band

/** The item from its first second to its last: segments as blocks, chapters as lines, keyframes as ticks. */
export function TimeBar({ lengthMs, media }: { lengthMs: number; media: Media }) {
  const percent = (ms: number) => `${Math.max(0, Math.min(100, (ms / lengthMs) * 100))}%`;
  const all = media.keyframesMs ?? [];
  const every = Math.max(1, Math.ceil(all.length / most));
  const segments = media.segments ?? [],
    chapters = media.chapters ?? [];
  return (
    <div class="time-bar">
      <div
        class="time-track"
        role="img"
        aria-label={`${segments.length} segments, ${chapters.length} chapters and ${all.length} keyframes in ${position(lengthMs)}`}
      >
        {segments.map((segment) => (
          <span
            key={segment.type + segment.startMs}
            class={`segment seg-${segment.type.toLowerCase()}`}
            style={{ left: percent(segment.startMs), width: percent(segment.endMs - segment.startMs) }}
            title={`${segment.type} ${position(segment.startMs)} – ${position(segment.endMs)}`}
          />
        ))}
        {all
          .filter((_, index) => index % every === 0)
          .map((ms) => (
            <i key={ms} class="keyframe" style={{ left: percent(ms) }} />
          ))}
        {chapters.map((chapter) => (
          <b
            key={chapter.startMs}
            class="chapter-line"
            style={{ left: percent(chapter.startMs) }}
            title={chapter.name ?? ''}
          />
        ))}
      </div>
      <div class="time-ends small muted num" aria-hidden="true">
        <span>0:00</span>
        <span>{position(lengthMs / 2)}</span>
        <span>{position(lengthMs)}</span>
      </div>
    </div>
  );
}
