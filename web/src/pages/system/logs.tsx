import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, ask, query } from '../../lib/api';
import { bytes } from '../../lib/format';
import { useLive } from '../../lib/live';
import { lastLines } from '../../lib/log_lines';
import { go, href } from '../../lib/router';
import type { LogFile } from '../../lib/types';
import { Empty } from '../../ui/empty';
import { Select } from '../../ui/field';
import { Section } from '../../ui/section';

const most = 2_000; // lines in the page
const periodMs = 4_000;
const tail = 512 * 1024; // bytes of the end that are fetched to look at; a search wants all that the server shows

interface LogText {
  text?: string;
  fault?: string;
}

/** What this pod has logged. Each pod has a log of its own. */
export function Logs({ params }: { params: Record<string, string> }) {
  const files = useLive<LogFile[]>('System/Logs', periodMs);
  const name = params.name ?? files.value?.[0]?.name ?? '';
  const find = params.find ?? '';
  const file = files.value?.find((each) => each.name === name);
  const { text, fault } = useLogText(name, find.trim() ? undefined : tail, file && `${file.size} ${file.dateModified}`);
  const box = useRef<HTMLPreElement>(null);
  const followed = useRef(true);
  const lines = useMemo(() => lastLines(text ?? '', find, most), [text, find]);
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
          {(lines.cut > 0 || (!find.trim() && (file?.size ?? 0) > tail)) && (
            <p class="small muted">Older lines are left out here. A search looks through the last 8 MB.</p>
          )}
        </>
      )}
    </Section>
  );
}

/** The text of a log, asked for anew when the file has changed (`state`). What was there stays until then. */
function useLogText(name: string, most: number | undefined, state: string | undefined): LogText {
  const [got, setGot] = useState<LogText & { of: string }>({ of: '' });
  const of = `${name} ${most ?? ''}`;
  useEffect(() => {
    if (!name) return;
    let gone = false;
    const put = (text: LogText) => gone || setGot({ ...text, of });
    ask('System/Logs/Log' + query({ name, tail: most }))
      .then((answer) => answer.text())
      .then((text) => put({ text }))
      .catch((error: unknown) => put({ fault: error instanceof ApiError ? error.message : String(error) }));
    return () => {
      gone = true;
    };
  }, [name, most, state]);
  return got.of.startsWith(`${name} `) ? got : {};
}
