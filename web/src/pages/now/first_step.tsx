import { useLive } from '../../lib/live';
import { href } from '../../lib/router';
import type { Library } from '../../lib/types';
import { Icon } from '../../ui/icon';

/** What to do on a server that is new: without a library no task has anything to do. */
export function FirstStep() {
  const libraries = useLive<Library[]>('Library/VirtualFolders', 10_000).value;
  if (!libraries || libraries.length > 0) return null;
  return (
    <ul class="health" aria-label="What to do first">
      <li class="warn">
        <Icon name="libraries" size={16} />
        <span>
          There is no library yet: <a href={href('libraries')}>add a folder</a> with films, series or music.
        </span>
      </li>
    </ul>
  );
}
