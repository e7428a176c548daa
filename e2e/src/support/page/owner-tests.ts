/// <reference types="jest" />
import { keysOf } from './keys';
import { heading, rows } from './parts-of-views';
import type { PageStage } from './page-stage';

/** Tests of owners and labels on the page, with the stack of the other ones. */
export function ownerTests(stage: () => PageStage): void {
  test('owner and labels of a project are named, lead to its findings, and are taken away', async () => {
    const { open, data } = stage();
    const page = await open(`/projects/${data.billing.slug}`);
    const keys = keysOf(page);
    await page.getByText('No owner', { exact: true }).waitFor();
    const dialog = page.getByRole('dialog');
    const edit = () => keys.activate(page.getByRole('button', { name: 'Owner and labels' }));
    await edit();
    await keys.write(dialog.getByLabel('Owner'), 'Team Odd');
    await keys.write(dialog.getByLabel('Labels'), `pci, ${'x'.repeat(65)}`);
    await keys.activate(dialog.getByRole('button', { name: 'Save' }));
    await dialog.locator('[aria-invalid=true]').waitFor();
    await keys.write(dialog.getByLabel('Labels'), 'pci, odd, PCI');
    await keys.activate(dialog.getByRole('button', { name: 'Save' }));
    await page.getByRole('link', { name: 'odd', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'pci', exact: true }).count()).toBe(1);
    await keys.activate(page.getByRole('link', { name: 'Team Odd' }));
    await heading(page, /^[1-9]\d* findings?$/);
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Take away the filter: Owner Team Odd' }).waitFor();
    await page.getByRole('columnheader', { name: 'Due' }).waitFor();
    await rows(page).first().getByText('Team Odd').waitFor();
    await keys.press('Enter');
    await page.getByRole('complementary').getByRole('link', { name: 'Team Odd' }).waitFor();
    await keys.press('Escape');
    await keys.activate(page.getByRole('button', { name: 'More filters' }));
    await keys.choose(page.getByLabel('Somebody responsible'), 'No owner');
    await page.getByText('Nothing matches these filters.').waitFor();
    await keys.choose(page.getByLabel('Somebody responsible'), 'Any');
    await keys.press('Escape');
    await rows(page).first().waitFor();
    await page.goto(`/projects/${data.billing.slug}`);
    await edit();
    await keys.write(dialog.getByLabel('Owner'), '');
    await keys.write(dialog.getByLabel('Labels'), '');
    await keys.activate(dialog.getByRole('button', { name: 'Save' }));
    await page.getByText('No owner', { exact: true }).waitFor();
  });
}
