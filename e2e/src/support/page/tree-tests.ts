/// <reference types="jest" />
import { keysOf } from './keys';
import type { PageStage } from './page-stage';

/** Tests of the dependency tree of an SBOM, with the stack of the other ones. */
export function treeTests(stage: () => PageStage): void {
  test('the dependencies are a tree for the keyboard, searched, and with findings alone', async () => {
    const { open, data } = stage();
    const page = await open(`/projects/${data.shop.slug}`);
    const keys = keysOf(page);
    const proxy = page.getByRole('row').filter({ hasText: 'image-proxy' });
    await keys.activate(proxy.getByRole('link', { name: '0.9.0' }).first());
    await keys.show(page.getByRole('tab', { name: /Dependencies/ }));
    await keys.tick(page.getByLabel('As a tree'));
    const tree = page.getByRole('tree', { name: 'What depends on what' });
    const lines = tree.getByRole('treeitem');
    await tree.locator('[aria-expanded=false]').first().waitFor();
    await keys.reach(tree);
    await keys.press('ArrowRight');
    await tree.locator('[aria-level="2"][aria-expanded=false]').waitFor();
    expect(await lines.first().getAttribute('aria-expanded')).toBe('true');
    await keys.press('ArrowRight');
    await keys.press('ArrowLeft');
    await keys.press('ArrowLeft');
    await lines.nth(1).waitFor({ state: 'detached' });
    await keys.tick(page.getByLabel('Only with findings'));
    await page.waitForURL(/vulnerable=true/);
    await lines
      .getByText(/finding/)
      .first()
      .waitFor();
    await keys.write(page.getByLabel('Name, version or licence'), 'nothing-like-it');
    await page.getByText('No dependency matches').waitFor();
  });

  test('of a document without a graph nothing is called direct, and the empty tree leads to the list', async () => {
    const { open, data } = stage();
    const page = await open(`/projects/${data.shop.slug}`);
    const keys = keysOf(page);
    const checkout = page.getByRole('row').filter({ hasText: 'checkout' });
    await keys.activate(checkout.getByRole('link', { name: '1.2.0' }).first());
    await keys.show(page.getByRole('tab', { name: /Dependencies/ }));
    await page.getByText('which are direct is unknown').waitFor();
    const list = page.getByRole('list', { name: 'Dependencies' });
    await list.getByRole('listitem').first().waitFor();
    expect(await list.getByText('direct', { exact: true }).count()).toBe(0);
    await keys.tick(page.getByLabel('As a tree'));
    await page.getByText('The document does not say what depends on what.').waitFor();
    await keys.activate(page.getByRole('button', { name: 'Show as a list' }));
    await list.getByRole('listitem').first().waitFor();
  });
}
