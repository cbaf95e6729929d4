import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export function Section({
  title,
  note,
  actions,
  flush,
  children,
}: {
  title: string;
  note?: ComponentChildren;
  actions?: ComponentChildren;
  flush?: boolean;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class={`card ${flush ? 'flush' : ''}`} aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        {note && <span class="muted small">{note}</span>}
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
