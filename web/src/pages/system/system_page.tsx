import { PageFrame } from '../../ui/page';
import { Tabs } from '../../ui/tabs';
import { Access } from './access';
import { Activity } from './activity';
import { Logs } from './logs';
import { Overview } from './overview';
import { Settings } from './settings';
import { Users } from './users';

const parts: [string, string][] = [
  ['', 'Overview'],
  ['users', 'Users'],
  ['access', 'Keys and devices'],
  ['settings', 'Settings'],
  ['logs', 'Logs'],
  ['activity', 'Activity'],
];

function Part({ name, params }: { name: string; params: Record<string, string> }) {
  switch (name) {
    case 'users':
      return <Users />;
    case 'access':
      return <Access />;
    case 'settings':
      return <Settings params={params} />;
    case 'logs':
      return <Logs params={params} />;
    case 'activity':
      return <Activity params={params} />;
    default:
      return <Overview />;
  }
}

export function SystemPage({ part, params }: { part: string; params: Record<string, string> }) {
  return (
    <PageFrame title="System">
      <Tabs page="system" at={part} parts={parts} />
      <Part name={part} params={params} />
    </PageFrame>
  );
}
