import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { keptStack } from '../active-list/kept-stack';
import { inFolder } from '../measure/in-folder';
import { waitUntilQuiet } from '../measure/quiet';
import { percentile } from '../measure/statistics';
import { plainTable, shortNumber } from '../report/tables';
import { repositoryRoot } from '../paths';
import type { BenchDeps } from '../run-bench';
import { withStack } from '../stack/with-stack';
import { measurePage, type MeasuredPage } from './measure-page';

export interface PageArguments {
  /** Tracked vulnerabilities in all states; 85 % are open. */
  rows: number;
  rowsPerService: number;
  samples: number;
  /** Folder in which the filled stack is stored for reuse; undefined: a temporary one. */
  keep?: string;
}

/** Fills a stack, and measures its page in Chromium. */
export function runPage(args: PageArguments, deps: BenchDeps): Promise<string> {
  const { signal, say } = deps;
  return inFolder({ name: 'page', ...args }, async (folder) => {
    const { samples } = args;
    const dataDir = await keptStack(folder, args, deps);
    const options = { dataDir, advisorySource: 'starter', ...deps };
    return withStack(options, async (stack) => {
      await waitUntilQuiet(() => stack.processes(), signal);
      const load = loadavg().map(shortNumber).join(', ');
      const browser = await startBrowser();
      try {
        const { baseUrl, apiKey } = stack;
        const measured = await measurePage(browser, { baseUrl, apiKey, samples, say });
        return render(measured, load);
      } finally {
        await browser.close();
      }
    });
  });
}

/** As in the tests of the page: Chromium out of its npm package. */
async function startBrowser(): Promise<Browser> {
  const { default: packed } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: packed.args.filter((one) => one !== '--single-process'),
    headless: true,
  });
}

/** The scripts of the first view, gzip'd: what the browser loads before it has asked for anything. */
function firstScriptBytes(): number {
  const folder = join(repositoryRoot(), 'packages', 'web', 'dist', 'page');
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  const names = [...index.matchAll(/(?:src|href)="\/?(assets\/[^"]+\.js)"/g)].map(
    ([, name]) => name,
  );
  return names.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(folder, name ?? ''))).length,
    0,
  );
}

function render({ steps, heapBytes }: MeasuredPage, load: string): string {
  const table = plainTable(['what', 'samples', 'p50 ms', 'p95 ms', 'most ms']);
  for (const { step, ms } of steps)
    table.push([
      ...[step, ms.length, shortNumber(percentile(ms, 50)), shortNumber(percentile(ms, 95))],
      shortNumber(Math.max(...ms)),
    ]);
  const script = shortNumber(firstScriptBytes() / 1024);
  const heap = shortNumber(heapBytes / 2 ** 20);
  return `${table.toString()}\nJavaScript heap of the tab: ${heap} MiB; scripts of index.html: ${script} KiB, packed\nload of the machine before: ${load}`;
}
