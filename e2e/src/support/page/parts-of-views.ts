import type { Page } from 'playwright-core';

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
/** Where a file is chosen in a section. */
export const fileOf = (page: Page, name: RegExp) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2, name }) })
    .locator('input[type=file]');
export const rows = (page: Page) => page.locator('[role=row][aria-selected]');
