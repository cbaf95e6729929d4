import { useState } from 'preact/hooks';
import { tell } from '../../lib/actions';
import { ask } from '../../lib/api';
import type { Library, LibraryOptions } from '../../lib/types';
import { FormDialog } from '../../ui/form_dialog';
import { Check, Field } from '../../ui/field';

const providers: [string, string][] = [
  ['chapters', 'Names of chapters'],
  ['edl', 'EDL files beside the media'],
  ['fingerprint', 'Sound that the episodes of a season share'],
];

/** What the server acts on; all else that clients may have stored stays as it is (`partial=true`). */
export function LibraryOptionsEditor({ library, onClose }: { library: Library; onClose: () => void }) {
  const [options, setOptions] = useState<LibraryOptions>(library.libraryOptions);
  const [days, setDays] = useState(options.removeMissingAfterDays ? String(options.removeMissingAfterDays) : '');
  const off = new Set(options.disabledMediaSegmentProviders ?? []);
  const set = (change: Partial<LibraryOptions>) => setOptions({ ...options, ...change });
  const save = async () => {
    const body = {
      Id: library.itemId,
      LibraryOptions: {
        EnableRealtimeMonitor: options.enableRealtimeMonitor,
        EnableChapterImageExtraction: options.enableChapterImageExtraction,
        EnableLUFSScan: options.enableLUFSScan,
        DisabledMediaSegmentProviders: [...off],
        RemoveMissingAfterDays: days.trim() ? days.trim() : null,
      },
    };
    await ask('Library/VirtualFolders/LibraryOptions?partial=true', { method: 'POST', body });
    tell(`The options of ${library.name} are stored.`);
  };
  const provider = (name: string, on: boolean) => {
    const next = new Set(off);
    if (on) next.delete(name);
    else next.add(name);
    set({ disabledMediaSegmentProviders: [...next] });
  };
  return (
    <FormDialog title={`Options of ${library.name}`} verb="Save" onClose={onClose} onSave={save}>
      <Check
        label="Watch the folders"
        hint="New and changed files are scanned by themselves."
        checked={!!options.enableRealtimeMonitor}
        onChange={(on) => set({ enableRealtimeMonitor: on })}
      />
      {library.collectionType !== 'music' && (
        <Check
          label="Pictures of chapters"
          checked={!!options.enableChapterImageExtraction}
          onChange={(on) => set({ enableChapterImageExtraction: on })}
        />
      )}
      {library.collectionType === 'music' && (
        <Check
          label="Measure loudness"
          checked={!!options.enableLUFSScan}
          onChange={(on) => set({ enableLUFSScan: on })}
        />
      )}
      {library.collectionType !== 'music' && (
        <fieldset>
          <legend>Where segments (intros, credits) come from</legend>
          {providers.map(([name, text]) => (
            <Check key={name} label={text} checked={!off.has(name)} onChange={(on) => provider(name, on)} />
          ))}
        </fieldset>
      )}
      <Field
        label="Remove the items of an emptied folder after"
        hint="Days. Empty: they are kept as offline until somebody confirms their removal."
      >
        <input class="short" inputMode="numeric" value={days} onInput={(event) => setDays(event.currentTarget.value)} />
      </Field>
    </FormDialog>
  );
}
