import type { ComponentChildren } from 'preact';
import { Button } from './button';
import { Dialog } from './dialog';

/** Asks once more before something that cannot be taken back, or that others notice. */
export function Confirm({
  title,
  verb,
  danger,
  onClose,
  onYes,
  children,
}: {
  title: string;
  verb: string;
  danger?: boolean;
  onClose: () => void;
  onYes: () => Promise<unknown>;
  children: ComponentChildren;
}) {
  const yes = async () => {
    await onYes();
    onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look={danger ? 'danger' : 'main'} onClick={yes}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
