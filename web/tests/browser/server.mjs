// A real server in a temporary folder, on a free port, below a base URL.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { closeSync, openSync } from 'node:fs';

export const key = 'browser-test-key-0123456789';
export const base = '/jf';

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Asks until `wanted` is true of the answer; throws after `withinMs`. */
export async function eventually(what, wanted, withinMs = 20_000) {
  const until = Date.now() + withinMs;
  for (;;) {
    const got = await wanted().catch(() => false);
    if (got) return got;
    if (Date.now() > until) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export class Server {
  constructor(binary, worker, folder) {
    Object.assign(this, { binary, worker, folder });
  }

  /** `more`: further arguments of `serve`. */
  async start(media = {}, more = []) {
    this.port ??= await freePort();
    this.url = `http://127.0.0.1:${this.port}${base}`;
    const log = openSync(`${this.folder}/server.log`, 'a');
    const folders = Object.entries(media).flatMap(([kind, path]) => ['--media', `${kind}=${path}`]);
    this.process = spawn(
      this.binary,
      ['serve', '--data-dir', `${this.folder}/data`, '--listen', `127.0.0.1:${this.port}`, ...folders, ...more],
      {
        stdio: ['ignore', log, log],
        env: {
          ...process.env,
          TZ: 'Europe/Berlin',
          Jellyfin__Api__BootstrapKey: key,
          Jellyfin__Http__BaseUrl: base,
          Jellyfin__Media__WorkerPath: this.worker,
          Jellyfin__ScanLeader__PodName: 'pod-1',
          Jellyfin__Library__SettleSeconds: '0',
        },
      },
    );
    closeSync(log);
    const gone = new Promise((_, reject) =>
      this.process.once('exit', (code) =>
        reject(new Error(`the server ended (${code}); see ${this.folder}/server.log`)),
      ),
    );
    gone.catch(() => undefined);
    await Promise.race([
      gone,
      eventually('the server is ready', async () => (await fetch(`${this.url}/health/ready`)).ok),
    ]);
  }

  async ask(path, options = {}) {
    const response = await fetch(`${this.url}/${path}`, {
      ...options,
      headers: { Authorization: `MediaBrowser Token="${key}"` },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  }

  /** Runs a task and waits for its end. */
  async run(task) {
    await this.ask(`ScheduledTasks/Running/${task}`, { method: 'POST' });
    await eventually(
      `${task} has run`,
      async () => {
        const { items } = await this.ask(`cluster/runs?task=${task}&limit=1`);
        return items[0]?.state === 'completed';
      },
      90_000,
    );
  }

  async kill(signal = 'SIGKILL') {
    if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill(signal);
    await ended;
  }
}
