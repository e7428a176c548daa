/// <reference types="jest" />
import type { Page } from 'playwright-core';
import type { PageData } from './page-data';

interface Given {
  /** A signed-in tab. */
  open(address: string): Promise<Page>;
  data: PageData;
}

/** Tests of the dependency tree of an SBOM, with the stack of the other ones. */
export function treeTests(given: () => Given): void {
  test('the dependencies are a tree for the keyboard, searched, and with findings alone', async () => {
    const { open, data } = given();
    const page = await open(`/projects/${data.shop.slug}`);
    const proxy = page.getByRole('row').filter({ hasText: 'image-proxy' });
    await proxy.getByRole('link', { name: '0.9.0' }).first().press('Enter');
    await page.getByRole('tab', { name: /Dependencies/ }).press('Enter');
    await page.getByLabel('As a tree').press('Space');
    const tree = page.getByRole('tree', { name: 'What depends on what' });
    const lines = tree.getByRole('treeitem');
    await tree.locator('[aria-expanded=false]').first().waitFor();
    await tree.press('ArrowRight');
    await tree.locator('[aria-level="2"][aria-expanded=false]').waitFor();
    expect(await lines.first().getAttribute('aria-expanded')).toBe('true');
    await tree.press('ArrowRight');
    await tree.press('ArrowLeft');
    await tree.press('ArrowLeft');
    await lines.nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Only with findings').press('Space');
    await page.waitForURL(/vulnerable=true/);
    await lines
      .getByText(/finding/)
      .first()
      .waitFor();
    await page.getByLabel('Name, version or licence').fill('nothing-like-it');
    await page.getByText('No dependency matches').waitFor();
  });

  test('of a document without a graph nothing is called direct, and the empty tree leads to the list', async () => {
    const { open, data } = given();
    const page = await open(`/projects/${data.shop.slug}`);
    const checkout = page.getByRole('row').filter({ hasText: 'checkout' });
    await checkout.getByRole('link', { name: '1.2.0' }).first().press('Enter');
    await page.getByRole('tab', { name: /Dependencies/ }).press('Enter');
    await page.getByText('which are direct is unknown').waitFor();
    const list = page.getByRole('list', { name: 'Dependencies' });
    await list.getByRole('listitem').first().waitFor();
    expect(await list.getByText('direct', { exact: true }).count()).toBe(0);
    await page.getByLabel('As a tree').press('Space');
    await page.getByText('The document does not say what depends on what.').waitFor();
    await page.getByRole('button', { name: 'Show as a list' }).press('Enter');
    await list.getByRole('listitem').first().waitFor();
  });
}
