/** On or off, at once. */
export function Switch({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      title={`${label}: ${on ? 'on' : 'off'}`}
      onClick={() => onChange(!on)}
    >
      <span />
    </button>
  );
}
