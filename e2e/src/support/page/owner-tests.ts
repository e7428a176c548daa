/// <reference types="jest" />
import type { Page } from 'playwright-core';
import type { PageData } from './page-data';
import { heading, rows } from './parts-of-views';

interface Given {
  /** A signed-in tab. */
  open(address: string): Promise<Page>;
  data: PageData;
}

/** Tests of owners and labels on the page, with the stack of the other ones. */
export function ownerTests(given: () => Given): void {
  test('owner and labels of a project are named, lead to its findings, and are taken away', async () => {
    const { open, data } = given();
    const page = await open(`/projects/${data.billing.slug}`);
    await page.getByText('No owner', { exact: true }).waitFor();
    const dialog = page.getByRole('dialog');
    const edit = () => page.getByRole('button', { name: 'Owner and labels' }).click();
    await edit();
    await dialog.getByLabel('Owner').fill('Team Odd');
    await dialog.getByLabel('Labels').fill(`pci, ${'x'.repeat(65)}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await dialog.getByLabel('Labels').fill('pci, odd, PCI');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'odd', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'pci', exact: true }).count()).toBe(1);
    await page.getByRole('link', { name: 'Team Odd' }).click();
    await heading(page, /^[1-9]\d* findings?$/);
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Take away the filter: Owner Team Odd' }).waitFor();
    await page.goBack();
    await edit();
    await dialog.getByLabel('Owner').fill('');
    await dialog.getByLabel('Labels').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No owner', { exact: true }).waitFor();
  });
}
