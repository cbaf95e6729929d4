import { useState } from 'preact/hooks';
import { tell } from '../../lib/actions';
import { ask } from '../../lib/api';
import { collectionNames } from '../../lib/names';
import { FormDialog } from '../../ui/form_dialog';
import { Check, Field, Select } from '../../ui/field';

export function AddLibrary({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState('movies');
  const [folders, setFolders] = useState('');
  const [scan, setScan] = useState(true);
  const add = async () => {
    const search = new URLSearchParams({ name, collectionType: kind, refreshLibrary: String(scan) });
    const paths = folders
      .split('\n')
      .map((path) => path.trim())
      .filter(Boolean);
    // As PathInfos: a name may hold a comma.
    await ask('Library/VirtualFolders?' + search.toString(), {
      method: 'POST',
      body: { LibraryOptions: { PathInfos: paths.map((Path) => ({ Path })) } },
    });
    tell(`${name} is added.`);
  };
  return (
    <FormDialog title="Add a library" verb="Add library" onClose={onClose} onSave={add}>
      <Field label="Name">
        <input value={name} autofocus onInput={(event) => setName(event.currentTarget.value)} />
      </Field>
      <Field label="What is in it">
        <Select label="What is in it" value={kind} options={Object.entries(collectionNames)} onChange={setKind} />
      </Field>
      <Field label="Folders" hint="As the pods see them, one a line.">
        <textarea
          rows={3}
          class="mono"
          spellcheck={false}
          value={folders}
          onInput={(event) => setFolders(event.currentTarget.value)}
        />
      </Field>
      <Check label="Scan it at once" checked={scan} onChange={setScan} />
    </FormDialog>
  );
}
