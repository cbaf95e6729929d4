import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button';

/** A modal dialog: the browser keeps the focus inside, Escape closes it, the focus then goes back to where it was. */
export function Dialog({
  title,
  wide,
  onClose,
  children,
  footer,
}: {
  title: string;
  wide?: boolean;
  onClose: () => void;
  children: ComponentChildren;
  footer: ComponentChildren;
}) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  const pressedOutside = useRef(false); // a text that is selected beyond the edge is no click there
  useEffect(() => {
    const dialog = box.current!;
    dialog.showModal();
    return () => dialog.close(); // gives the focus back, which must not wait until it is gone
  }, []);
  return (
    <dialog
      ref={box}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onClose={onClose}
      onPointerDown={(event) => (pressedOutside.current = event.target === box.current)}
      onClick={(event) => event.target === box.current && pressedOutside.current && onClose()}
    >
      <div class="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          <Button icon="close" label="Close" look="quiet" onClick={onClose} />
        </header>
        <div class="dialog-body">{children}</div>
        <footer>{footer}</footer>
      </div>
    </dialog>
  );
}
