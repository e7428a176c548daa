import type { Page } from 'playwright-core';

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
/** Rows that can be acted on: not those of the view before, while the answer is on its way. */
export const rows = (page: Page) =>
  page.locator('[role=rowgroup]:not([inert]) > [role=row][aria-selected]');

/** Holds back answers to matching addresses until the returned function is called. */
export async function holdBack(page: Page, pattern: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Runs in the page: whether it, or the view in it, has to be moved sideways. */
export const isWide =
  "[document.documentElement, document.querySelector('main')].some((one) => one.scrollWidth > one.clientWidth)";
