import { useEffect, useState } from 'preact/hooks';
import { ApiError, read } from '../../lib/api';
import { countdown, fullTime } from '../../lib/format';
import { serverNow } from '../../lib/time';
import { DraftError, fromDraft, type Draft } from '../../lib/triggers';
import type { Preview } from '../../lib/types';

const pauseMs = 250; // after the last key, before the server is asked

/** The next five times that the triggers would give, as the server works them out, in its own zone. */
export function NextTimes({ task, drafts }: { task: string; drafts: Draft[] }) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [fault, setFault] = useState('');
  const wanted = JSON.stringify(drafts);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      try {
        const got = await read<Preview>(`cluster/schedule/preview?task=${task}&count=5`, {
          method: 'POST',
          body: drafts.map(fromDraft),
        });
        if (!current) return;
        setPreview(got);
        setFault('');
      } catch (error) {
        if (!current) return;
        setPreview(null);
        setFault(error instanceof ApiError || error instanceof DraftError ? error.message : String(error));
      }
    }, pauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [task, wanted]);
  return (
    <div class="next-times" aria-live="polite">
      <h3>Next times{preview && <span class="muted small"> in {preview.zone}, the server’s zone</span>}</h3>
      {fault && <p class="small bad">{fault}</p>}
      {preview && !preview.items.length && <p class="small muted">None by the clock.</p>}
      <ol>
        {preview?.items.map((each) => (
          <li key={each.slot + each.index} class="num">
            {fullTime(Date.parse(each.slot), preview.zone)}{' '}
            <span class="muted small">{countdown(Date.parse(each.slot), serverNow())}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
