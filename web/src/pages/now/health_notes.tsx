import type { Ready } from '../../lib/types';
import { Icon } from '../../ui/icon';

/** What is degraded, and what keeps work from starting though nothing is wrong. */
export function HealthNotes({ ready }: { ready: Ready }) {
  const all = [
    ...ready.degraded.map((note) => ({ ...note, bad: true })),
    ...ready.notes.map((note) => ({ ...note, bad: false })),
  ];
  if (!all.length) return null;
  return (
    <ul class="health" aria-label="What deserves a look">
      {all.map((note) => (
        <li key={note.component + note.reason} class={note.bad ? 'bad' : 'warn'}>
          <Icon name={note.bad ? 'warn' : 'pause'} size={16} />
          <span>
            <strong>{note.component}</strong> {note.reason}
          </span>
        </li>
      ))}
    </ul>
  );
}
