import { address } from '../../lib/api';
import { plural, position, ticksPerMs } from '../../lib/format';
import type { Item, Media } from '../../lib/types';
import { Section } from '../../ui/section';

export function Chapters({ item, media }: { item: Item; media?: Media }) {
  const all =
    media?.chapters ??
    (item.chapters ?? []).map((chapter) => ({
      startMs: chapter.startPositionTicks / ticksPerMs,
      name: chapter.name ?? null,
      image: null,
    }));
  if (!all.length) return null;
  const pictures = all.some((chapter) => chapter.image);
  return (
    <Section title="Chapters" note={plural(all.length, 'chapter')}>
      <ol class={`chapters ${pictures ? '' : 'bare'}`}>
        {all.map((chapter, at) => (
          <li key={chapter.startMs}>
            {pictures && (
              <span class="picture wide">
                {chapter.image && <img src={address(chapter.image)} alt="" loading="lazy" />}
              </span>
            )}
            <span class="num small muted">{position(chapter.startMs)}</span>{' '}
            <span class="small">{chapter.name ?? `Chapter ${at + 1}`}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
