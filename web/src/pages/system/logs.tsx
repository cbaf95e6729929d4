import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, ask, query } from '../../lib/api';
import { bytes } from '../../lib/format';
import { useLive } from '../../lib/live';
import { lastLines } from '../../lib/log_lines';
import { go, href } from '../../lib/router';
import type { LogFile } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Select } from '../../ui/field';
import { Section } from '../../ui/section';

const most = 2_000; // lines in the page; the whole file is a link away
const periodMs = 4_000;

/** What this pod has logged. Each pod has a log of its own. */
export function Logs({ params }: { params: Record<string, string> }) {
  const files = useLive<LogFile[]>('System/Logs', 10_000);
  const name = params.name ?? files.value?.[0]?.name ?? '';
  const find = params.find ?? '';
  const { text, fault } = useLogText(name);
  const box = useRef<HTMLPreElement>(null);
  const followed = useRef(true);
  const lines = lastLines(text ?? '', find, most);
  useEffect(() => {
    if (followed.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text, find]);
  const filter = (change: Record<string, string>, replace = false) =>
    go(href('system', 'logs', { name, find, ...change }), replace);
  return (
    <Section
      title="Log of this pod"
      actions={
        <div class="filters" role="group" aria-label="Which lines">
          <Select
            label="Log file"
            value={name}
            onChange={(value) => filter({ name: value })}
            options={(files.value ?? []).map((file) => [file.name, `${file.name} (${bytes(file.size)})`])}
          />
          <input
            type="search"
            aria-label="Find in the log"
            placeholder="Find in the log"
            value={find}
            onInput={(event) => filter({ find: event.currentTarget.value }, true)}
          />
        </div>
      }
    >
      {files.value?.length === 0 || files.value === undefined ? (
        <Empty of={files}>This pod keeps no log to look at: see where its output goes.</Empty>
      ) : fault ? (
        <p class="empty bad" role="alert">
          {fault}
        </p>
      ) : text === undefined ? (
        <p class="empty" aria-busy="true">
          Loading …
        </p>
      ) : (
        <>
          <pre
            class="log small"
            tabIndex={0}
            aria-label={`The last lines of ${name}`}
            ref={box}
            onScroll={(event) => {
              const it = event.currentTarget;
              followed.current = it.scrollHeight - it.scrollTop - it.clientHeight < 20;
            }}
          >
            {lines.text || (find ? 'No line has that.' : 'Nothing is logged yet.')}
          </pre>
          {lines.cut > 0 && (
            <p class="small muted">Older lines are left out here: {lines.cut.toLocaleString('en-GB')}.</p>
          )}
        </>
      )}
    </Section>
  );
}

/** The text of a log, asked for again and again while it is looked at. */
function useLogText(name: string): { text?: string; fault?: string } {
  const [got, setGot] = useState<{ name: string; text?: string; fault?: string }>({ name: '' });
  useEffect(() => {
    if (!name) return;
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        if (!document.hidden) {
          const text = await (await ask('System/Logs/Log' + query({ name }))).text();
          if (!gone) setGot({ name, text });
        }
      } catch (error) {
        if (!gone) setGot({ name, fault: error instanceof ApiError ? error.message : String(error) });
      }
      if (!gone) timer = setTimeout(() => void look(), periodMs);
    };
    void look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [name]);
  return got.name === name ? got : {};
}
