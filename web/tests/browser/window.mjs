// A browser, and windows in it that note all they should not do: leave the server, break the page's policy, throw.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

export async function launch(options = {}) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    throw new Error(
      `${executablePath} is missing; script/bootstrap installs chromium, or CHROMIUM names another browser of its kind`,
    );
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'], ...options });
}

export async function openWindow(browser, server, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults = [];
  const { origin } = new URL(server);
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
      faults.push(`left the server: ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  return { page, context, faults };
}

export async function step(name, doing) {
  const begun = Date.now();
  await doing();
  console.log(`ok ${name} (${Date.now() - begun} ms)`);
}
