/// <reference types="jest" />
import type { Browser, Page } from 'playwright-core';
import { startTestStack, type TestStack } from '../test-stack';
import { startBrowser, visit, type Visit, type VisitOptions } from './browser';
import { makePageFeeds } from './page-advisories';
import { makePageData, type PageData } from './page-data';

/** A stack with data that the page is worth looking at with, and a browser. */
export interface PageStage {
  running: TestStack;
  browser: Browser;
  data: PageData;
  /** A signed-in tab at an address. */
  open(address: string, options?: Partial<VisitOptions>): Promise<Page>;
  /** Closes the tabs; each must have ended without a violation of the policy or a failure. */
  closeTabs(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPageStage(): Promise<PageStage> {
  const feeds = await makePageFeeds();
  const [running, browser] = await Promise.all([
    startTestStack({
      env: {
        BOMTRAIL_ADVISORY_SOURCE: feeds.advisories,
        BOMTRAIL_KEV_SOURCE: feeds.kev,
        BOMTRAIL_EPSS_SOURCE: feeds.epss,
      },
    }),
    startBrowser(),
  ]);
  const data = await makePageData(running.client);
  const visits: Visit[] = [];
  return {
    running,
    browser,
    data,
    async open(address, options = {}) {
      const { baseUrl, apiKey } = running.target;
      const opened = await visit(browser, { baseUrl, apiKey, ...options });
      visits.push(opened);
      await opened.page.goto(address);
      return opened.page;
    },
    async closeTabs() {
      for (const { faults, context, page } of visits.splice(0)) {
        // An answer that is changed on its way when the tab closes would fail every test of the file.
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await context.close();
        expect(faults).toEqual([]);
      }
    },
    async stop() {
      await browser.close();
      await running.stop();
      await feeds.discard();
    },
  };
}
