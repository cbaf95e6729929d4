// Three pods, three windows, one on each: node cluster.mjs REPOSITORY OUT_FOLDER
// What is started in one is seen in all; the leader is killed, and the others say so. Uses script/cluster and the release build.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMedia } from './media.mjs';
import { eventually } from './server.mjs';
import { checkPage } from './check_page.mjs';
import { launch, openWindow, step } from './window.mjs';

const [repository, out] = process.argv.slice(2);
const key = 'cluster-browser-key-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'understudy-browser.'));

/** The first of three free ports in a row. */
async function threePorts() {
  const free = (port) =>
    new Promise((resolve) => {
      const probe = createServer()
        .once('error', () => resolve(false))
        .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
  for (let tries = 0; tries < 100; ++tries) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    if ((await free(first)) && (await free(first + 1)) && (await free(first + 2))) return first;
  }
  throw new Error('no three free ports in a row');
}

function startCluster(first, media) {
  const folders = Object.entries(media).map(([kind, path]) => `${kind}=${path}`);
  const child = spawn(`${repository}/script/cluster`, folders, {
    detached: true, // Ctrl-C of whoever runs the test must not reach it twice
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      UNDERSTUDY_BUILT: '1',
      UNDERSTUDY_PORT: String(first),
      UNDERSTUDY_CLUSTER: `${folder}/cluster`,
      UNDERSTUDY_RUN: `${folder}/run`,
      Jellyfin__Api__BootstrapKey: key,
      Jellyfin__ScanLeader__LeaseDurationSeconds: '6',
      Jellyfin__ScanLeader__RenewIntervalSeconds: '2',
      Jellyfin__Media__WorkerPath: `${repository}/build/release/bin/understudy-media-patient`,
    },
  });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  child.stderr.on('data', (text) => (said += text));
  const led = eventually(
    'a pod leads',
    async () => {
      if (child.exitCode !== null) throw new Error(`script/cluster ended: ${said}`);
      return /^(pod-\d) leads\./m.exec(said)?.[1];
    },
    60_000,
  ).catch((error) => {
    throw new Error(`${error.message}\n${said}`);
  });
  return { child, led };
}

async function lastLead(url) {
  const answer = await fetch(`${url}/cluster/leads?limit=1&ApiKey=${key}`);
  return (await answer.json()).items[0];
}

async function main(first, browser, led) {
  const urls = [first, first + 1, first + 2].map((port) => `http://127.0.0.1:${port}`);
  const leader = await led;
  const at = Number(leader.slice(-1)) - 1,
    others = [0, 1, 2].filter((index) => index !== at);
  const windows = await Promise.all(urls.map((url) => openWindow(browser, url)));
  const pages = windows.map((window) => window.page);
  await step('all three say who leads', () =>
    Promise.all(
      pages.map(async (page, index) => {
        await page.addInitScript(
          (token) => sessionStorage.setItem('understudy.session', JSON.stringify({ token, name: 'key', kind: 'key' })),
          key,
        );
        await page.goto(`${urls[index]}/dashboard/`);
        await page.getByRole('heading', { name: `${leader} leads` }).waitFor();
        await page.getByText('3 of 3 heard from').waitFor();
      }),
    ),
  );
  await step('what one starts all see', async () => {
    const on = others[0];
    await pages[on].goto(`${urls[on]}/dashboard/#/tasks`);
    await pages[on].getByRole('button', { name: 'Run Keyframe Extractor' }).click();
    await Promise.all(
      [at, others[1]].map((index) => pages[index].getByRole('button', { name: 'Stop Keyframe Extractor' }).waitFor()),
    );
    await checkPage(pages[others[1]], 'cluster-running', out, { axeToo: false });
    await pages[on].goto(`${urls[on]}/dashboard/#/now`);
  });
  await step('the leader dies, and another leads', async () => {
    process.kill(Number(readFileSync(`${folder}/cluster/${leader}.pid`, 'utf8')), 'SIGKILL');
    await pages[at].getByText('The server does not answer.').waitFor();
    await eventually('another pod leads', async () => (await lastLead(urls[others[0]])).pod !== leader, 30_000);
    await Promise.all(
      others.map(async (index) => {
        const banner = pages[index].getByRole('heading', { name: new RegExp(`^(?!${leader})pod-\\d leads$`) });
        await banner.waitFor({ timeout: 5_000 });
        await pages[index].getByText(new RegExp(`^from ${leader}, gap up to `)).waitFor();
      }),
    );
    await pages[others[0]].getByText(/^Silent/).waitFor(); // what it last said of itself may be older than its lead;
    await checkPage(pages[others[0]], 'cluster-taken-over', out);
    await pages[others[0]].goto(`${urls[others[0]]}/dashboard/#/history`);
    await pages[others[0]].getByRole('img', { name: new RegExp(`Lead: .*${leader} .*nobody .*pod-`) }).waitFor();
    await checkPage(pages[others[0]], 'cluster-history', out);
  });
  const faults = windows.flatMap((window) => window.faults);
  if (faults.length) throw new Error(faults.join('\n'));
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const first = await threePorts();
const { child, led } = startCluster(first, makeMedia(join(folder, 'media')));
/** The script stops its pods and databases itself. */
let ended;
function endCluster() {
  ended ??= new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
  return ended;
}
// A terminal's Ctrl-C does not reach the cluster, and must not end this process before it.
let interrupted = 0;
for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }))
  process.on(signal, async () => {
    if (interrupted) return;
    interrupted = 128 + number;
    await endCluster();
    rmSync(folder, { recursive: true, force: true });
    process.exit(interrupted);
  });

let failed = false,
  browser;
try {
  browser = await launch({ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
  await main(first, browser, led);
} catch (error) {
  failed = true;
  console.error(`FAILED: ${error.stack ?? error}`);
  let n = 0;
  for (const context of browser?.contexts() ?? [])
    for (const page of context.pages())
      await page.screenshot({ path: `${out}/failed-${++n}.png` }).catch(() => undefined);
} finally {
  await browser?.close();
  await endCluster();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(interrupted || (failed ? 1 : 0));
