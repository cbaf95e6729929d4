import { useEffect, useState } from 'preact/hooks';
import { ApiError, read } from './lib/api';
import { LogIn } from './log_in';
import { Mark } from './ui/mark';
import { Wizard } from './wizard';

const retryMs = 2_000;
/** Nobody answers, or whoever does cannot yet. */
const passing = [0, 502, 503, 504];

/** What somebody sees who is not logged in: the start wizard where nobody has been through it, else the log-in. */
export function FrontDoor() {
  const [fresh, setFresh] = useState<boolean>(); // undefined: not known yet
  const [withKey, setWithKey] = useState(false);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const look = async () => {
      try {
        const info = await read<{ startupWizardCompleted?: boolean }>('System/Info/Public', { as: null });
        if (!gone) setFresh(info.startupWizardCompleted === false);
      } catch (error) {
        if (gone) return;
        if (!(error instanceof ApiError && passing.includes(error.status))) return setFresh(false); // the log-in says it
        setTrouble(error.message);
        timer = setTimeout(look, retryMs);
      }
    };
    void look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, []);
  if (fresh === undefined && !trouble) return <main class="log-in" aria-busy="true" />;
  if (fresh === undefined)
    return (
      <main class="log-in">
        <div class="card">
          <div class="log-in-head">
            <Mark size={36} />
            <h1>Understudy</h1>
          </div>
          <p class="notice-line" role="status">
            {trouble} Asking again …
          </p>
        </div>
      </main>
    );
  if (fresh && !withKey) return <Wizard onKey={() => setWithKey(true)} onDone={() => setFresh(false)} />;
  return <LogIn named={!fresh} />;
}
