export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M9 8v9a7 7 0 0 0 14 0V8"
        fill="none"
        stroke="var(--on-accent)"
        stroke-width="3.4"
        stroke-linecap="round"
      />
      <circle cx="16" cy="10" r="2.6" fill="var(--on-accent)" />
    </svg>
  );
}
