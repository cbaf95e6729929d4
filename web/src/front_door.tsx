import { useEffect, useState } from 'preact/hooks';
import { read } from './lib/api';
import { LogIn } from './log_in';
import { Wizard } from './wizard';

/** What somebody sees who is not logged in: the start wizard where nobody has been through it, else the log-in. */
export function FrontDoor() {
  const [fresh, setFresh] = useState<boolean>(); // undefined: not known yet
  const [withKey, setWithKey] = useState(false);
  useEffect(() => {
    read<{ startupWizardCompleted?: boolean }>('System/Info/Public', { as: null }).then(
      (info) => setFresh(info.startupWizardCompleted === false),
      () => setFresh(false), // the log-in says what is wrong
    );
  }, []);
  if (fresh === undefined) return <main class="log-in" aria-busy="true" />;
  if (fresh && !withKey) return <Wizard onKey={() => setWithKey(true)} onDone={() => setFresh(false)} />;
  return <LogIn named={!fresh} />;
}
