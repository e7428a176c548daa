import type { Page } from 'playwright-core';

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
export const rows = (page: Page) => page.locator('[role=row][aria-selected]');
