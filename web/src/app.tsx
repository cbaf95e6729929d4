import { useEffect } from 'preact/hooks';
import { FrontDoor } from './front_door';
import { live } from './lib/live';
import { useRoute, type Route } from './lib/router';
import { session } from './lib/session';
import { useStore } from './lib/store';
import './lib/theme';
import { Nav } from './nav';
import { HistoryPage } from './pages/history/history_page';
import { ItemPage } from './pages/items/item_page';
import { ItemsPage } from './pages/items/items_page';
import { LibrariesPage } from './pages/libraries/libraries_page';
import { NowPage } from './pages/now/now_page';
import { SystemPage } from './pages/system/system_page';
import { TasksPage } from './pages/tasks/tasks_page';
import { ConnectionBanner } from './ui/connection_banner';
import { Notices } from './ui/notices';
import { PageFrame } from './ui/page';

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'now':
      return <NowPage />;
    case 'tasks':
      return <TasksPage />;
    case 'history':
      return <HistoryPage params={route.params} />;
    case 'libraries':
      return <LibrariesPage />;
    case 'items':
      return route.id ? (
        <ItemPage key={route.id} id={route.id} params={route.params} />
      ) : (
        <ItemsPage params={route.params} />
      );
    case 'system':
      return <SystemPage part={route.id} params={route.params} />;
    default:
      return (
        <PageFrame title="No such page">
          <p>
            <a href="#/now">Back to the start</a>
          </p>
        </PageFrame>
      );
  }
}

export function App() {
  const who = useStore(session);
  const route = useRoute();
  const connection = useStore(live.connection);
  useEffect(() => {
    if (!who) live.clear();
  }, [who]);
  if (!who) return <FrontDoor />;
  return (
    <div class="shell">
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the page
      </a>
      <Nav page={route.page} />
      <div class="stage">
        <ConnectionBanner />
        <main id="main" tabIndex={-1} class={connection.state === 'up' ? '' : 'stale'}>
          <Page route={route} />
        </main>
      </div>
      <Notices />
    </div>
  );
}
