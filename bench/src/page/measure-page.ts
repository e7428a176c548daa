import type { Browser, Page } from 'playwright-core';
import { percentile } from '../measure/statistics';

export interface PageFigures {
  /** What was done in the page. */
  step: string;
  ms: number[];
}

export interface MeasuredPage {
  steps: PageFigures[];
  /** JavaScript heap of the tab, after a collection, in bytes. */
  heapBytes: number;
}

interface Place {
  baseUrl: string;
  apiKey: string;
  /** Of each step. */
  samples: number;
  say: (line: string) => void;
}

const timeoutMs = 60_000;
const groupGrid =
  '[role=treegrid][aria-busy=false] [aria-rowindex="2"] [role=gridcell] + [role=gridcell]';
const grid = '[role=grid][aria-busy=false] [aria-rowindex="2"] [role=gridcell] + [role=gridcell]';

/**
 * Filters as the chips and further filters of the page set them; the address is what they change. Not those by KEV
 * and EPSS: a stack without these feeds takes the generated values away (`lists` measures them).
 */
export const filters: Record<string, string> = {
  everything: '',
  'critical and high': 'severity=critical,high',
  overdue: 'overdue=true',
  'new this week': 'detected_since=WEEK&sort=first_seen_at',
  'with a fix': 'has_fix=true',
  direct: 'is_direct=true',
  npm: 'ecosystem=npm',
  'a word': 'q=package-12',
  'by package': 'group=package',
  'by service': 'group=service',
};

/** Opens the page in a tab and measures what a person waits for. */
export async function measurePage(browser: Browser, place: Place): Promise<MeasuredPage> {
  const steps: PageFigures[] = [];
  const add = (step: string, ms: number[]): void => {
    steps.push({ step, ms });
    place.say(
      `${step}: p50 ${percentile(ms, 50).toFixed(0)} ms, p95 ${percentile(ms, 95).toFixed(0)} ms`,
    );
  };
  const cold = { overview: [] as number[], findings: [] as number[] };
  for (let n = 0; n < Math.min(place.samples, 5); n++) {
    cold.overview.push(await opened(browser, place, { path: '/', until: 'main h1 a' }));
    cold.findings.push(await opened(browser, place, { path: '/findings', until: grid }));
  }
  add('first view of the overview, cold', cold.overview);
  add('first view of the findings, cold', cold.findings);
  const page = await signedIn(browser, place);
  await page.goto('/findings');
  await untilTrue(page, has(grid));
  add('scroll by a screen', await scrolled(page, place.samples, 800));
  add('jump far', await scrolled(page, place.samples, 180_000));
  for (const [name, query] of Object.entries(filters)) {
    const { rows, counted } = await filtered(page, { query, samples: place.samples });
    add(`filter: ${name}`, rows);
    add(`its total: ${name}`, counted);
  }
  const heapBytes = await heapOf(page);
  await page.context().close();
  return { steps, heapBytes };
}

async function signedIn(browser: Browser, { baseUrl, apiKey }: Place): Promise<Page> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: { width: 1280, height: 860 },
  });
  const key = JSON.stringify(apiKey);
  await context.addInitScript({ content: `sessionStorage.setItem('bomtrail.key', ${key})` });
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  return page;
}

/** From the request for the page until what it opens with is there, with nothing in any cache of the browser. */
async function opened(
  browser: Browser,
  place: Place,
  { path, until }: { path: string; until: string },
): Promise<number> {
  const page = await signedIn(browser, place);
  const begin = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await untilTrue(page, has(until));
  const ms = performance.now() - begin;
  await page.context().close();
  return ms;
}

/** Scrolls the list, each time until every row on the screen is there. */
async function scrolled(page: Page, samples: number, by: number): Promise<number[]> {
  const ms: number[] = [];
  for (let n = 0; n < samples; n++) {
    const begin = performance.now();
    await page.locator('[role=grid]').evaluate((list, top) => list.scrollBy({ top }), by);
    await untilShown(page);
    ms.push(performance.now() - begin);
  }
  await page.locator('[role=grid]').evaluate((list) => list.scrollTo({ top: 0 }));
  return ms;
}

/** Two frames pass before rows that are scrolled to exist. */
async function untilShown(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
  await untilTrue(page, `!${has('[role=grid] [role=row] > [role=gridcell]:only-child')}`);
}

/** An expression of the page: whether an element is there. */
function has(selector: string): string {
  return `(document.querySelector(${JSON.stringify(selector)}) !== null)`;
}

/** Asks with every frame: a locator asks every 100 ms, which is as long as what is measured. */
async function untilTrue(page: Page, expression: string): Promise<void> {
  await page.evaluate(`new Promise((done, fail) => {
    const end = performance.now() + ${timeoutMs};
    const look = () => {
      if (${expression}) done();
      else if (performance.now() > end) fail(new Error('not there in time'));
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/**
 * Changes the address within the page, as a chip does, until the rows of the filter are there, and until their
 * number is. Nothing of it is in the memory of the page: each time it is another tab's first request for the
 * filter, or a reload.
 */
async function filtered(
  page: Page,
  { query, samples }: { query: string; samples: number },
): Promise<{ rows: number[]; counted: number[] }> {
  const week = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
  const ms = { rows: [] as number[], counted: [] as number[] };
  for (let n = 0; n < samples; n++) {
    await page.goto('/findings?cve_id=CVE-0000-0');
    await untilTrue(page, headingBegins('0 '));
    const address = `/findings?${query.replace('WEEK', week)}`;
    const begin = performance.now();
    const moved = `history.pushState(null, '', ${JSON.stringify(address)})`;
    await page.evaluate(`${moved}; dispatchEvent(new PopStateEvent('popstate'))`);
    await untilTrue(page, has(`${grid}, ${groupGrid}`));
    ms.rows.push(performance.now() - begin);
    await untilTrue(page, headingBegins('[1-9]'));
    ms.counted.push(performance.now() - begin);
  }
  return ms;
}

function headingBegins(pattern: string): string {
  return `/^${pattern}/.test(document.querySelector('h1')?.textContent ?? '')`;
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
