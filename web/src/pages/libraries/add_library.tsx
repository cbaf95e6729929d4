import { useState } from 'preact/hooks';
import { tell } from '../../lib/actions';
import { ask } from '../../lib/api';
import { live } from '../../lib/live';
import { collectionNames } from '../../lib/names';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Check, Field, Select } from '../../ui/field';

export function AddLibrary({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState('movies');
  const [folders, setFolders] = useState('');
  const [scan, setScan] = useState(true);
  const [fault, setFault] = useState('');
  const add = async () => {
    const search = new URLSearchParams({ name, collectionType: kind, refreshLibrary: String(scan) });
    const paths = folders
      .split('\n')
      .map((path) => path.trim())
      .filter(Boolean);
    try {
      // As PathInfos: a name may hold a comma.
      await ask('Library/VirtualFolders?' + search.toString(), {
        method: 'POST',
        body: { LibraryOptions: { PathInfos: paths.map((Path) => ({ Path })) } },
      });
      tell(`${name} is added.`);
      live.refresh();
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Dialog
      title="Add a library"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" onClick={add}>
            Add library
          </Button>
        </>
      }
    >
      <div class="form">
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
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </div>
    </Dialog>
  );
}
