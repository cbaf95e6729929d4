import { useState } from 'preact/hooks';
import { tell } from '../../lib/actions';
import { ask } from '../../lib/api';
import { live } from '../../lib/live';
import { fromDraft, newDraft, toDraft, type Draft } from '../../lib/triggers';
import type { Task } from '../../lib/types';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { NextTimes } from './next_times';
import { TriggerRow } from './trigger_row';

/** When a task starts by itself. What is wrong is said by the server, before anything is stored. */
export function TriggerEditor({ task, onClose }: { task: Task; onClose: () => void }) {
  const [drafts, setDrafts] = useState<Draft[]>(() => task.triggers.map(toDraft));
  const [fault, setFault] = useState('');
  const change = (at: number, draft: Draft) => setDrafts(drafts.map((each, index) => (index === at ? draft : each)));
  const save = async () => {
    setFault('');
    try {
      await ask(`ScheduledTasks/${task.id}/Triggers`, { method: 'POST', body: drafts.map(fromDraft) });
      tell(`The triggers of ${task.name} are stored.`);
      live.refresh();
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Dialog
      title={`When ${task.name} runs`}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <ul class="triggers" aria-label="Triggers">
        {drafts.map((draft, at) => (
          <TriggerRow
            key={at}
            number={at + 1}
            draft={draft}
            onChange={(next) => change(at, next)}
            onRemove={() => setDrafts(drafts.filter((_, index) => index !== at))}
          />
        ))}
      </ul>
      {!drafts.length && <p class="muted">No trigger: it runs only when somebody asks.</p>}
      <Button icon="plus" look="quiet" onClick={() => setDrafts([...drafts, newDraft])}>
        Add a trigger
      </Button>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <NextTimes task={task.key} drafts={drafts} />
    </Dialog>
  );
}
