import { dismiss, notices } from '../lib/actions';
import { useStore } from '../lib/store';
import { Button } from './button';

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {useStore(notices).map((notice) => (
        <div key={notice.id} class={`notice ${notice.bad ? 'bad' : ''}`}>
          <span>{notice.text}</span>
          <Button icon="close" label="Dismiss" look="quiet" onClick={() => dismiss(notice.id)} />
        </div>
      ))}
    </div>
  );
}
