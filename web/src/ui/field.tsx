import type { ComponentChildren } from 'preact';

/** A label around its control. */
export function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
      {hint && <span class="muted small">{hint}</span>}
    </label>
  );
}

/** A line of text with its label. `name` and `autocomplete` are what password managers look at. */
export function TextField({
  label,
  hint,
  value,
  onChange,
  ...input
}: {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  name: string;
  type?: 'text' | 'password';
  autocomplete?: 'username' | 'current-password' | 'new-password';
  required?: boolean;
  autofocus?: boolean;
}) {
  return (
    <Field label={label} hint={hint}>
      <input spellcheck={false} {...input} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
    </Field>
  );
}

export function Select({
  label,
  value,
  options,
  onChange,
  disabled,
}: {
  label: string;
  value: string;
  options: [string, string][];
  onChange: (value: string) => void;
  disabled?: boolean;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key} selected={key === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function Check({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <span class="muted small block">{hint}</span>}
      </span>
    </label>
  );
}
