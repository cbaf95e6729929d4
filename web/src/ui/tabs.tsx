import { useEffect, useRef } from 'preact/hooks';
import { href } from '../lib/router';

/** Parts of a page as links, so that each has an address and the way back works. */
export function Tabs({ page, at, parts }: { page: string; at: string; parts: [string, string][] }) {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [at]);
  return (
    <nav ref={bar} class="tabs" aria-label="Parts of this page">
      {parts.map(([key, name]) => (
        <a key={key} href={href(page, key)} aria-current={at === key ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
