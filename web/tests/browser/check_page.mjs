// What has to hold of every page: nothing serious that axe knows of, nothing wider than the screen, a picture of it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function checkPage(page, name, out, { full = true, axeToo = true } = {}) {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${out}/${name}.png`, fullPage: full });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) throw new Error(`${name}: ${wide} px wider than the screen`);
  if (!axeToo) return;
  // Evaluated by the debugger: the page's own policy lets no script in, and stays as it is.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }),
  );
  const grave = violations.filter((each) => each.impact === 'serious' || each.impact === 'critical');
  if (grave.length) {
    throw new Error(
      `${name}: ` +
        grave
          .map(
            (each) =>
              `${each.id} (${each.impact}): ${each.help}\n` +
              each.nodes
                .slice(0, 4)
                .map((node) => `    ${node.html.slice(0, 200)}\n      ${node.failureSummary.replace(/\n/g, ' ')}`)
                .join('\n'),
          )
          .join('\n  '),
    );
  }
}
