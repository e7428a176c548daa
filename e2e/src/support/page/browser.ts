import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

/** A tab that is signed in, and what went wrong in it. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Violations of the policy, failures of scripts, requests to other origins. */
  faults: string[];
}

export interface VisitOptions {
  baseUrl: string;
  /** Omitted: signed out. */
  apiKey?: string;
  theme?: 'light' | 'dark';
  width?: number;
  timeZone?: string;
}

/**
 * In one process, the end of a context would be the end of the browser; without a zygote, each tab would load all of
 * Chromium anew; and an emulated graphics card draws a page with more work than none does.
 */
const isUnwanted = /^--(single-process|no-zygote|.*gpu.*|.*angle.*|.*swiftshader.*)$/;

/** Chromium out of its npm package: nothing is downloaded, and no root is needed. */
export async function startBrowser(): Promise<Browser> {
  const { default: packed } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: [...packed.args.filter((one) => !isUnwanted.test(one)), '--disable-gpu'],
    headless: true,
  });
}

export async function visit(browser: Browser, options: VisitOptions): Promise<Visit> {
  const { baseUrl, apiKey, theme = 'light', width = 1280, timeZone = 'Europe/Berlin' } = options;
  const context = await browser.newContext({
    baseURL: baseUrl,
    colorScheme: theme,
    viewport: { width, height: width < 500 ? 780 : 860 },
    locale: 'en-GB',
    timezoneId: timeZone,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(`policy: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(baseUrl) && !url.startsWith('blob:')) faults.push(`foreign: ${url}`);
  });
  if (apiKey !== undefined) {
    const key = JSON.stringify(apiKey);
    await context.addInitScript({ content: `sessionStorage.setItem('bomtrail.key', ${key})` });
  }
  return { page, context, faults };
}
