import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

let opened = ''; // the page before; none: the browser has just come, and begins where it always does

/** A page's frame: its heading takes the focus when one goes from page to page, so that a screen reader says where one is. */
export function PageFrame({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Understudy`;
    if (opened && opened !== title) heading.current?.focus({ preventScroll: true });
    opened = title;
  }, [title]);
  return (
    <>
      <header class="page-head">
        <div>
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {lead && <p class="muted">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
