import type { ComponentChildren } from 'preact';
import type { Reading } from '../lib/live';

/** In the place of a list: still asking, refused and why, or really nothing. */
export function Empty({ of, children }: { of?: Reading<unknown>; children: ComponentChildren }) {
  if (of?.error && of.value === undefined)
    return (
      <p class="empty bad" role="alert">
        {of.error.message}
      </p>
    );
  if (of && of.value === undefined)
    return (
      <p class="empty" aria-busy="true">
        Loading …
      </p>
    );
  return <p class="empty">{children}</p>;
}
