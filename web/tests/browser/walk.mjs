// Walks the whole dashboard in a real browser over a real server: node walk.mjs UNDERSTUDY WORKER OUT_FOLDER
// Pictures of every page are kept in OUT_FOLDER. CHROMIUM names another browser than Debian's.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPage } from './check_page.mjs';
import { makeMedia } from './media.mjs';
import { eventually, key, Server } from './server.mjs';
import * as stories from './stories.mjs';
import { launch, openWindow, step } from './window.mjs';

const [binary, worker, out] = process.argv.slice(2);
const screens = { desktop: { width: 1360, height: 900 }, phone: { width: 390, height: 844 } };
const folder = mkdtempSync(join(tmpdir(), 'understudy-browser.'));
const server = new Server(binary, worker, folder);
let browser;

async function walkPages(page, label) {
  const film = (await server.ask('Items?recursive=true&includeItemTypes=Movie&searchTerm=Lighthouse')).Items[0].Id;
  const album = (await server.ask('Items?recursive=true&includeItemTypes=MusicAlbum')).Items[0].Id;
  const track = (await server.ask('Items?recursive=true&includeItemTypes=Audio')).Items[0].Id;
  const routes = {
    now: 'now',
    tasks: 'tasks',
    history: 'history',
    libraries: 'libraries',
    items: 'items',
    film: `items/${film}`,
    album: `items/${album}`,
    track: `items/${track}`,
    system: 'system',
    users: 'system/users',
    access: 'system/access',
    settings: 'system/settings',
    logs: 'system/logs',
    activity: 'system/activity',
  };
  for (const [name, route] of Object.entries(routes)) {
    await page.goto(`${server.url}/dashboard/#/${route}`);
    await page.locator('main h1').waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await eventually('pictures are loaded', () =>
      page.evaluate(() =>
        [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
      ),
    );
    await checkPage(page, `${label}-${name}`, out);
    if (name === 'track')
      await eventually('a track shows the picture of its album', () =>
        page.evaluate(() => document.querySelector('main .picture.large img')?.naturalWidth > 0),
      );
    if (name === 'history') await page.locator('.run summary').first().getByText('pod-1').waitFor();
    const tab = page.locator('.tabs [aria-current]');
    if (await tab.count())
      await eventually(`${label}-${name}: the part that is open is seen among the others`, () =>
        tab.evaluate((link) => {
          const { left, right } = link.getBoundingClientRect();
          return left >= 0 && right <= innerWidth;
        }),
      );
  }
}

async function main() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const media = makeMedia(join(folder, 'media'));
  await server.start(media);
  browser = await launch();
  await step('the first scan', () => server.run('RefreshLibrary'));
  await server.ask('Users/New', { method: 'POST', body: '{"Name":"Mara"}' });

  const main = await openWindow(browser, server.url);
  await step('the first start', () => stories.firstStart(main.page, server, out));
  await step('log out and in by name', async () => {
    await stories.logOut(main.page);
    await stories.logInByName(main.page, server);
    await stories.changeOwnPassword(main.page, server);
    await stories.logOut(main.page);
  });
  await step('log in by key', () => stories.logInByKey(main.page, key, out));
  await step('run and stop a task', () => stories.runAndStop(main.page, server));
  await step('edit a trigger', () => stories.editTrigger(main.page, server, out));
  await step('tasks find what pages show', async () => {
    const films = (await server.ask('Library/VirtualFolders')).find((each) => each.CollectionType === 'movies');
    await server.ask('Library/VirtualFolders/LibraryOptions?partial=true', {
      method: 'POST',
      body: JSON.stringify({ Id: films.ItemId, LibraryOptions: { EnableChapterImageExtraction: true } }),
    });
    for (const task of ['KeyframeExtraction', 'TaskExtractMediaSegments', 'RefreshChapterImages', 'AudioNormalization'])
      await server.run(task);
  });
  await step('search and filter', () => stories.browse(main.page, server));
  await step('administer', () => stories.administer(main.page, server, out));
  await step('keyboard and mouse', () => stories.keyboardAndMouse(main.page, server));
  const state = await main.context.storageState();
  for (const screen of Object.keys(screens)) {
    await step(`every page on a ${screen}`, () =>
      Promise.all(
        ['light', 'dark'].map(async (colorScheme) => {
          const phone = screen === 'phone';
          const window = await openWindow(browser, server.url, {
            viewport: screens[screen],
            colorScheme,
            storageState: state,
            hasTouch: phone,
            isMobile: phone,
          });
          await walkPages(window.page, `${screen}-${colorScheme}`);
          if (window.faults.length) throw new Error(window.faults.join('\n'));
          await window.context.close();
        }),
      ),
    );
  }
  await step('without a library', () => stories.noLibrary(main.page, server, out));
  await step('the server dies and comes back', () => stories.outage(main.page, server, out));
  await step('a web client beside it', () => stories.webClient(server));
  await step('log out', () => stories.logOut(main.page));
  if (main.faults.length) throw new Error(main.faults.join('\n'));
}

let failed = false;
try {
  await main();
} catch (error) {
  failed = true;
  console.error(`FAILED: ${error.stack ?? error}`);
  for (const context of browser?.contexts() ?? [])
    for (const page of context.pages()) await page.screenshot({ path: `${out}/failed.png` }).catch(() => undefined);
} finally {
  await browser?.close();
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
