import { useLive } from '../../lib/live';
import { query } from '../../lib/api';
import { go, href } from '../../lib/router';
import type { ActivityEntry } from '../../lib/types';
import { Badge } from '../../ui/badge';
import { Empty } from '../../ui/empty';
import { Select } from '../../ui/field';
import { Pager } from '../../ui/pager';
import { Section } from '../../ui/section';
import { Ago } from '../../ui/times';

const size = 50;

export function Activity({ params }: { params: Record<string, string> }) {
  const at = Math.max(1, Number(params.page) || 1);
  const whose = params.whose ?? '';
  const found = useLive<{ items: ActivityEntry[]; totalRecordCount: number }>(
    'System/ActivityLog/Entries' +
      query({
        startIndex: (at - 1) * size,
        limit: size,
        hasUserId: whose === '' ? undefined : whose === 'users',
      }),
    at === 1 ? 5_000 : 30_000,
  );
  const list = found.value?.items ?? [];
  return (
    <Section
      title="What has happened"
      flush
      actions={
        <Select
          label="Whose activity"
          value={whose}
          onChange={(value) => go(href('system', 'activity', { whose: value }))}
          options={[
            ['', 'Everybody’s'],
            ['users', 'Of users'],
            ['server', 'Of the server'],
          ]}
        />
      }
    >
      {!list.length && <Empty of={found}>Nothing yet.</Empty>}
      <ol class="rows">
        {list.map((entry) => (
          <li key={entry.id}>
            <div class="row-line">
              <span class="prose">{entry.name}</span>
              {entry.severity !== 'Information' && (
                <Badge tone={entry.severity === 'Warning' ? 'warn' : 'bad'}>{entry.severity}</Badge>
              )}
              <span class="small muted push">
                <Ago at={entry.date} />
              </span>
            </div>
            {(entry.shortOverview || entry.overview) && (
              <p class="small muted prose">{entry.shortOverview || entry.overview}</p>
            )}
          </li>
        ))}
      </ol>
      {found.value && (
        <Pager
          page="system"
          id="activity"
          params={{ whose }}
          at={at}
          size={size}
          total={found.value.totalRecordCount}
          what="entries"
        />
      )}
    </Section>
  );
}
