import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { live } from '../lib/live';
import { Button } from './button';
import { Dialog } from './dialog';

/** A dialog that stores something: it closes when that is done, and stays with the server's own words when it is refused. */
export function FormDialog({
  title,
  verb,
  onClose,
  onSave,
  children,
}: {
  title: string;
  verb: string;
  onClose: () => void;
  onSave: () => Promise<void>; // throws what was refused
  children: ComponentChildren;
}) {
  const [fault, setFault] = useState('');
  const save = async () => {
    setFault('');
    try {
      await onSave();
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    } finally {
      live.refresh();
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" onClick={save}>
            {verb}
          </Button>
        </>
      }
    >
      <div class="form">
        {children}
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </div>
    </Dialog>
  );
}
