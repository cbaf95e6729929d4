import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon, type IconName } from './icon';

interface Props {
  children?: ComponentChildren;
  icon?: IconName;
  label?: string; // for screen readers, where the icon stands alone
  look?: 'plain' | 'main' | 'danger' | 'quiet';
  type?: 'button' | 'submit';
  disabled?: boolean;
  title?: string;
  onClick?: (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => void | Promise<unknown>;
}

/** A button that is busy for as long as what it does takes, so that nobody presses it twice. */
export function Button({ children, icon, label, look = 'plain', type = 'button', disabled, title, onClick }: Props) {
  const [busy, setBusy] = useState(false);
  const press = async (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => {
    if (busy) return;
    const doing = onClick?.(event);
    if (!(doing instanceof Promise)) return;
    setBusy(true);
    try {
      await doing;
    } finally {
      setBusy(false);
    }
  };
  const alone = children === undefined;
  return (
    <button
      type={type}
      class={`button ${look} ${alone ? 'alone' : ''}`}
      disabled={disabled}
      aria-busy={busy}
      aria-label={label}
      title={title ?? (alone ? label : undefined)}
      onClick={press}
    >
      {icon && <Icon name={icon} size={16} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
