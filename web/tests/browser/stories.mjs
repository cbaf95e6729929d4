// What a person does with the dashboard, a function each.
import { mkdirSync, writeFileSync } from 'node:fs';
import { checkPage } from './check_page.mjs';
import { eventually } from './server.mjs';

function expect(is, what) {
  if (!is) throw new Error(what);
}

export async function firstStart(page, server, out) {
  let up = false; // at first: a proxy whose server has not come up
  await page.route('**/System/Info/Public', (route) =>
    up ? route.continue() : route.fulfill({ status: 502, body: 'Bad gateway' }),
  );
  await page.goto(server.url); // without a slash: the shortest address there is
  await page.waitForURL(`${server.url}/dashboard/`);
  await page.getByText('Bad gateway Asking again').waitFor();
  up = true;
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await page.unroute('**/System/Info/Public');
  await page.getByLabel('Server name').fill('Living room');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Password', { exact: true }).fill('first of all');
  await page.getByLabel('Password again').fill('last of all');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'not the same' }).waitFor();
  await checkPage(page, 'welcome', out);
  await page.getByLabel('Password again').fill('first of all');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('heading', { name: 'pod-1 runs alone' }).waitFor();
  const { ServerName, StartupWizardCompleted } = await server.ask('System/Info/Public');
  expect(ServerName === 'Living room' && StartupWizardCompleted, `the wizard left ${ServerName}`);
}

/** By name; then the session is one of those that the server knows. */
export async function logInByName(page, server) {
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('last of all');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'Name or password are wrong.' }).waitFor();
  await page.getByLabel('Password').fill('first of all');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'pod-1 runs alone' }).waitFor();
  const sessions = (await server.ask('Sessions')).filter((each) => each.Client === 'Understudy Dashboard');
  expect(sessions.length === 1 && sessions[0].UserName === 'Ada', `sessions: ${JSON.stringify(sessions)}`);
}

/** One's own password, which needs the one until now. */
export async function changeOwnPassword(page, server) {
  await page.goto(`${server.url}/dashboard/#/system/users`);
  await page.getByRole('button', { name: 'Edit Ada' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New password').fill('second to none');
  await dialog.getByLabel('Password until now').fill('last of all');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Password until now').fill('first of all');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goto(`${server.url}/dashboard/#/now`); // the page of users has fields of these names too
  await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
  await logOut(page);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('second to none');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'pod-1 runs alone' }).waitFor();
}

export async function logInByKey(page, key, out) {
  const byKey = page.getByRole('button', { name: 'Use an administrator’s key' });
  const secret = page.getByLabel('Administrator’s key');
  await byKey.click();
  await checkPage(page, 'log-in', out);
  await secret.fill('not-the-key-not-the-key');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'not known' }).waitFor();
  await secret.fill(key);
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'pod-1 runs alone' }).waitFor();
}

export async function runAndStop(page, server) {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tasks' }).click();
  await page.getByRole('button', { name: 'Run Keyframe Extractor' }).click();
  const stop = page.getByRole('button', { name: 'Stop Keyframe Extractor' });
  await stop.waitFor();
  await page.getByRole('progressbar', { name: 'Keyframe Extractor' }).waitFor();
  await stop.click();
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Keyframe Extractor' }) });
  await row.getByText('Stopped').waitFor();
  await row.getByText('on pod-1').waitFor();
  const { items } = await server.ask('cluster/runs?task=KeyframeExtraction&limit=1');
  expect(items[0].state === 'cancelled', `the run ended ${items[0].state}, not cancelled`);
}

export async function editTrigger(page, server, out) {
  await page.goto(`${server.url}/dashboard/#/tasks`);
  await page.getByRole('button', { name: 'Edit the triggers of Keyframe Extractor' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add a trigger' }).click();
  await dialog.getByLabel('Time of day of trigger 1').fill('02:30');
  await dialog.getByRole('listitem').filter({ hasText: ':30:00' }).nth(4).waitFor(); // five times, worked out by the server
  await checkPage(page, 'trigger-editor', out, { full: false });
  await dialog.getByLabel('Kind of trigger 1').selectOption('IntervalTrigger');
  await dialog.getByLabel('Interval of trigger 1').fill('0');
  await dialog.getByText('IntervalTicks').first().waitFor(); // the server's own words
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'IntervalTicks' }).waitFor();
  await dialog.getByLabel('Kind of trigger 1').selectOption('WeeklyTrigger');
  await dialog.getByLabel('Day of trigger 1', { exact: true }).selectOption('Tuesday');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Tuesdays at 02:30').waitFor();
  const stored = (await server.ask('ScheduledTasks/KeyframeExtraction')).Triggers;
  expect(
    JSON.stringify(stored) === '[{"Type":"WeeklyTrigger","TimeOfDayTicks":90000000000,"DayOfWeek":"Tuesday"}]',
    `stored: ${JSON.stringify(stored)}`,
  );

  await page.getByRole('button', { name: 'Pause all timers' }).click();
  await page.getByRole('button', { name: 'Resume all timers' }).waitFor();
  await page.goto(`${server.url}/dashboard/#/now`);
  await page.getByText('none of these starts').waitFor();
  await checkPage(page, 'paused', out);
  await page.goto(`${server.url}/dashboard/#/tasks`);
  await page.getByRole('button', { name: 'Resume all timers' }).click();
  await page.getByRole('button', { name: 'Pause all timers' }).waitFor();
  const timers = page.getByRole('switch', { name: 'Timers of Keyframe Extractor' });
  await timers.click();
  await page.getByText('Off: timers start nothing').waitFor();
  await checkPage(page, 'task-off', out);
  await timers.click();
  await page.getByText('Off: timers start nothing').waitFor({ state: 'detached' });
}

export async function browse(page, server) {
  await page.goto(`${server.url}/dashboard/#/items`);
  await page.getByRole('link', { name: /The Lighthouse Keeper/ }).waitFor();
  await page.getByRole('searchbox').fill('lantern');
  await page.getByRole('link', { name: /Nine Lanterns/ }).waitFor();
  await page.getByRole('link', { name: /The Lighthouse Keeper/ }).waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('lighthouse');
  await page.getByRole('link', { name: /The Lighthouse Keeper/ }).click();
  await page.getByRole('heading', { name: 'The Lighthouse Keeper' }).waitFor();
  await page.getByText('The storm').waitFor();
  await page.getByRole('img', { name: /3 segments, 3 chapters and \d+ keyframes/ }).waitFor();
  await eventually('three pictures of chapters', () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('.chapters img')].filter((image) => image.complete && image.naturalWidth > 0)
          .length === 3,
    ),
  );
  const films = (await server.ask('Items?recursive=true&includeItemTypes=Movie&limit=10')).Items.map((film) => film.Id);
  const long = await server.ask('Playlists', {
    method: 'POST',
    body: JSON.stringify({
      Name: 'Long',
      UserId: (await server.ask('Users'))[0].Id,
      Ids: Array.from({ length: 130 }, (_, n) => films[n % films.length]),
    }),
  });
  await page.goto(`${server.url}/dashboard/#/items/${long.Id}`);
  await page.getByText('1–120 of 130 items').waitFor();
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByText('121–130 of 130 items').waitFor();
  await eventually('ten entries', async () => (await page.locator('.tiles > li').count()) === 10);
  await page.goto(`${server.url}/dashboard/#/libraries`);
  await page.getByText('1 problem').click();
  await page.getByText('Broken (2001).mkv').waitFor();
  await page.goto(`${server.url}/dashboard/#/history?state=cancelled`);
  await page.getByText('1–1 of 1 runs').waitFor();
}

/** Users, keys, devices, settings, the log and what has happened. */
export async function administer(page, server, out) {
  const part = (name) => page.goto(`${server.url}/dashboard/#/system/${name}`);
  const row = (text) => page.getByRole('listitem').filter({ hasText: text });
  await part('users');
  await page.getByLabel('Name of a new user').fill('Bo');
  await page.getByLabel('Password of a new user').fill('bay window');
  await page.getByRole('button', { name: 'Add user' }).click();
  await page.getByRole('button', { name: 'Edit Bo' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('All, also those that are added later').uncheck();
  await dialog.getByLabel('Music').check();
  await dialog.getByLabel('Shown on log-in pages').check();
  await checkPage(page, 'edit-user', out, { full: false });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row('Bo').getByText('Some libraries').waitFor();
  const bo = (await server.ask('Users')).find((each) => each.Name === 'Bo');
  expect(
    bo.Policy.EnabledFolders.length === 1 && !bo.Policy.EnableAllFolders && !bo.Policy.IsHidden,
    `the policy of Bo: ${JSON.stringify(bo.Policy)}`,
  );
  await page.getByRole('button', { name: 'Edit Mara' }).click();
  await dialog.getByLabel('Administrator').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'needs a password' }).waitFor(); // the server's own words
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await part('access');
  await page.getByLabel('Program of a new key').fill('Sonarr');
  await page.getByRole('button', { name: 'Make key' }).click();
  await row('Sonarr').getByText('Show the key').click();
  const made = (await server.ask('Auth/Keys')).Items[0].AccessToken;
  await page.getByText(made).waitFor();
  await page.getByRole('button', { name: 'Revoke the key of Sonarr' }).click();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('No program has a key.').waitFor();

  await part('settings');
  await page.getByLabel('Find a setting').fill('leasedur');
  await page.getByText('Jellyfin:ScanLeader:LeaseDurationSeconds').waitFor();
  expect((await page.locator('.settings > li').count()) === 1, 'the filter of settings lets others through');
  await part('logs');
  await page.getByRole('searchbox', { name: 'Find in the log' }).fill('an API key was revoked');
  await page.locator('.log').getByText('an API key was revoked').first().waitFor();
  await part('activity');
  await row('Sonarr').first().waitFor();
}

export async function keyboardAndMouse(page, server) {
  await page.goto(`${server.url}/dashboard/#/now`);
  await page.reload();
  await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter'); // the link past the navigation
  expect(
    (await page.evaluate(() => document.activeElement?.id)) === 'main',
    'the first Tab and Enter do not lead past the navigation',
  );
  await page.goto(`${server.url}/dashboard/#/tasks`);
  const edit = page.getByRole('button', { name: 'Edit the triggers of Optimize database' });
  await edit.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(
    await edit.evaluate((button) => button === document.activeElement),
    'the focus does not come back from a dialog',
  );
  await edit.click();
  const heading = await page.getByRole('dialog').getByRole('heading').first().boundingBox();
  await page.mouse.move(heading.x + 5, heading.y + 5);
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  expect(await page.getByRole('dialog').isVisible(), 'who marks a text beyond the edge closes the dialog');
  await page.mouse.click(5, 5);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Without a library every page says what to do first. */
export async function noLibrary(page, server, out) {
  for (const { Name } of await server.ask('Library/VirtualFolders'))
    await server.ask(`Library/VirtualFolders?name=${encodeURIComponent(Name)}`, { method: 'DELETE' });
  await page.goto(`${server.url}/dashboard/#/items?type=Movie`);
  await page.getByRole('link', { name: 'add a library' }).waitFor();
  await page.goto(`${server.url}/dashboard/#/now`);
  await page.getByRole('link', { name: 'add a folder' }).waitFor();
  await checkPage(page, 'no-library', out);
  await page.getByRole('link', { name: 'add a folder' }).click();
  await page.getByText('No library yet.').waitFor();
}

export async function outage(page, server, out) {
  await page.goto(`${server.url}/dashboard/#/now`);
  await page.getByRole('heading', { name: 'pod-1 runs alone' }).waitFor();
  await server.kill();
  await page.getByText('The server does not answer.').waitFor();
  await page.locator('main.stale').waitFor();
  await page.getByRole('heading', { name: 'pod-1 runs alone' }).waitFor(); // what was known stays to be seen
  await checkPage(page, 'outage', out, { full: false, axeToo: false }); // greyed on purpose, below the contrast that axe wants
  await server.start();
  await page.locator('main.stale').waitFor({ state: 'detached', timeout: 15_000 });
  await page.getByText('The server does not answer.').waitFor({ state: 'detached' });
}

export async function webClient(server) {
  const client = `${server.folder}/web-client`;
  mkdirSync(client);
  writeFileSync(`${client}/index.html`, 'somebody else’s client');
  writeFileSync(`${client}/main.0a1b2c3d4e.js`, '1');
  await server.kill();
  await server.start({}, ['--webdir', client]);
  const home = await fetch(server.url);
  expect(home.url === `${server.url}/web/`, `the shortest address leads to ${home.url}`);
  expect((await home.text()) === 'somebody else’s client', 'the client is not served as it is');
  const script = await fetch(`${server.url}/web/main.0a1b2c3d4e.js`);
  expect(script.headers.get('Cache-Control').includes('immutable'), 'a hashed name is not kept');
  expect((await fetch(`${server.url}/web/%2e%2e/server.log`)).status === 404, 'a path leads out of the folder');
  expect((await fetch(`${server.url}/dashboard/`)).ok, 'the dashboard is gone');
}

export async function logOut(page) {
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Administrator’s key').or(page.getByLabel('Password')).first().waitFor();
  const left = await page.evaluate(
    () => localStorage.getItem('understudy.session') ?? sessionStorage.getItem('understudy.session'),
  );
  expect(left === null, 'the key is still stored after the log-out');
  await eventually('the page is empty of data', async () => (await page.locator('.shell').count()) === 0);
}
