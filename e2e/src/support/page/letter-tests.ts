/// <reference types="jest" />
import { sendForJson } from '@bomtrail/api-client';
import { eventually } from '@bomtrail/testkit';
import { layDeadLetter, sendUndecodable } from '../bus/lay-dead-letter';
import type { TestStack } from '../test-stack';
import { holdsFocus, keysOf } from './keys';
import { heading } from './parts-of-views';
import type { PageStage } from './page-stage';

async function untilThereAre({ target }: TestStack, count: number): Promise<void> {
  const path = '/api/v1/dead-letters';
  const total = async () => (await sendForJson<{ total: number }>(target, { path })).total;
  await eventually(async () => (await total()) === count, { what: `${count} dead letters` });
}

/** Tests of dead letters on the page, with the stack of the other ones. */
export function letterTests(stage: () => PageStage): void {
  test('a dead letter is looked at, replayed and deleted by keyboard; the focus stays in the list', async () => {
    const { open, running } = stage();
    const page = await open('/settings/dead-letters');
    const keys = keysOf(page);
    await page.getByText('No dead letters').waitFor();
    await sendUndecodable(running);
    await untilThereAre(running, 1);
    await page.reload();
    const rows = page.getByRole('region', { name: 'Dead letters' }).locator('tbody tr');
    await rows.getByText('scanner-uploads').waitFor();
    expect(await rows.innerText()).toMatch(/scanner-uploads[^]*WORK\s+scan\.requested\.v1\.upload/);
    await page.getByRole('link', { name: /^Dead letters [1-9]/ }).waitFor();
    const look = page.getByRole('button', { name: /^Look at it: letter \d+$/ });
    const first = await look.getAttribute('aria-label');
    await keys.activate(look);
    const dialog = page.getByRole('dialog', { name: /^Dead letter \d+$/ });
    await dialog.getByRole('region', { name: 'Message' }).getByText('AQID').waitFor();
    await keys.press('Escape');
    await page.locator(':focus').and(look).waitFor();
    await keys.press('Enter');
    await keys.activate(dialog.getByRole('button', { name: 'Replay' }));
    await page.getByText('Replayed.').waitFor();
    // Its cause was not removed.
    await untilThereAre(running, 1);
    await page.reload();
    await look.waitFor();
    expect(await look.getAttribute('aria-label')).not.toBe(first);
    await keys.activate(look);
    await dialog.getByRole('region', { name: 'Message' }).waitFor();
    await keys.activate(dialog.getByRole('button', { name: 'Delete' }));
    await page.getByText(/^Letter \d+ is deleted\.$/).waitFor();
    await page.getByText('No dead letters').waitFor();
    await holdsFocus(page);
  });

  test('a consumer that has no letters any more stays chosen, others are said to have some, and the choice keeps the focus', async () => {
    const { open, running } = stage();
    const id = await layDeadLetter(running, 'scanner-uploads');
    await untilThereAre(running, 1);
    const page = await open('/settings/dead-letters?consumer=catalog-scans');
    await page.getByText('No dead letters here').waitFor();
    const choice = page.getByLabel('Consumer', { exact: true });
    expect(await choice.locator('option').allInnerTexts()).toEqual([
      'All (1)',
      'scanner-uploads (1)',
      'catalog-scans (0)',
    ]);
    expect(await choice.inputValue()).toBe('catalog-scans');
    const keys = keysOf(page);
    await keys.choose(choice, '');
    await page.getByRole('button', { name: `Look at it: letter ${id}` }).waitFor();
    await page.locator(':focus').and(choice).waitFor();
    await keys.choose(choice, 'scanner-uploads');
    await page.waitForURL(/consumer=scanner-uploads/);
    await sendForJson(running.target, { method: 'DELETE', path: `/api/v1/dead-letters/${id}` });
    await page.reload();
    await page.getByText('No dead letters', { exact: true }).waitFor();
    expect(await choice.inputValue()).toBe('scanner-uploads');
  });

  test('a key that administers nothing is not offered the dead letters', async () => {
    const { open, running } = stage();
    const { key } = await running.client.createKey({ name: 'writer', scopes: ['read', 'write'] });
    const page = await open('/settings/dead-letters', { apiKey: key });
    await heading(page, 'Dead letters');
    await page.getByText('You may not see that').waitFor();
    expect(await page.getByRole('link', { name: 'Dead letters' }).count()).toBe(0);
  });
}
