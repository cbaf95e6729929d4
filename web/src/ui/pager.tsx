import { count } from '../lib/format';
import { href } from '../lib/router';
import { Icon } from './icon';

interface Props {
  page: string;
  id?: string;
  params: Record<string, string>;
  at: number;
  size: number;
  total: number;
  what: string;
}

/** Links to the pages before and after; `at` counts from 1. */
export function Pager({ page, id = '', params, at, size, total, what }: Props) {
  const pages = Math.max(1, Math.ceil(total / size));
  if (total === 0) return null;
  const to = (n: number) => href(page, id, { ...params, page: n === 1 ? undefined : n });
  const first = (at - 1) * size + 1,
    last = Math.min(at * size, total);
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      <span class="muted small num">
        {count(first)}–{count(last)} of {count(total)} {what}
      </span>
      {pages > 1 && (
        <span class="pager-links">
          {at > 1 ? (
            <a class="button alone" href={to(at - 1)} aria-label="Previous page">
              <Icon name="back" size={16} />
            </a>
          ) : (
            <span class="button alone" aria-hidden="true">
              <Icon name="back" size={16} />
            </span>
          )}
          <span class="small num">
            {count(at)} / {count(pages)}
          </span>
          {at < pages ? (
            <a class="button alone" href={to(at + 1)} aria-label="Next page">
              <Icon name="next" size={16} />
            </a>
          ) : (
            <span class="button alone" aria-hidden="true">
              <Icon name="next" size={16} />
            </span>
          )}
        </span>
      )}
    </nav>
  );
}
