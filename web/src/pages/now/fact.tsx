import type { ComponentChildren } from 'preact';
import type { Tone } from '../../lib/names';

/** A name and what is so, with a dot where that is a matter of good and bad. */
export function Fact({
  name,
  tone,
  title,
  children,
}: {
  name: string;
  tone?: Tone;
  title?: string;
  children: ComponentChildren;
}) {
  return (
    <div class="fact" title={title}>
      <dt>{name}</dt>
      <dd class="num">
        {tone && <span class={`dot ${tone}`} aria-hidden="true" />}
        {children}
      </dd>
    </div>
  );
}
