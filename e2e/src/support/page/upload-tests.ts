/// <reference types="jest" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { npmDocument } from '../examples';
import { holdsFocus, keysOf } from './keys';
import type { PageStage } from './page-stage';
import { heading, holdBack } from './parts-of-views';

/** Tests of documents that are dropped, with the stack of the other ones. */
export function uploadTests(stage: () => PageStage): void {
  test('a file dropped anywhere is uploaded to the project that is chosen', async () => {
    const page = await stage().open('/findings');
    await heading(page, /findings/);
    await drop(page, 'dropped.json');
    const dialog = page.getByRole('dialog', { name: 'Upload dropped.json' });
    const keys = keysOf(page);
    await keys.choose(dialog.getByLabel('Project'), 'Billing');
    await keys.write(dialog.getByLabel('Service'), 'S'.repeat(256));
    await keys.activate(dialog.getByRole('button', { name: 'Upload' }));
    await dialog.locator('[aria-invalid=true]').waitFor();
    await keys.write(dialog.getByLabel('Service'), 'dropped');
    await keys.activate(dialog.getByRole('button', { name: 'Upload' }));
    await dialog.getByText('Scanned: 1 dependency, 1 open finding.').waitFor();
    await holdsFocus(page);
    // What was found in it is not said of the next one, which was not sent.
    await drop(page, 'next.json');
    const next = page.getByRole('dialog', { name: 'Upload next.json' });
    await next.getByRole('button', { name: 'Upload' }).waitFor();
    expect(await next.getByText('Scanned').count()).toBe(0);
  });

  test('of several files at once one is taken, and the others are named', async () => {
    const { open, data } = stage();
    const page = await open('/findings');
    await heading(page, /findings/);
    await drop(page, 'first.json', 'second.json', 'third.json');
    await page.getByRole('dialog', { name: 'Upload first.json' }).waitFor();
    await page.getByText('Not taken: second.json, third.json.').waitFor();
    await page.goto(`/projects/${data.billing.slug}`);
    const refused = { status: 400, json: { detail: 'No such thing.', code: 'invalid_sbom' } };
    await page.route(/\/(upload|vex)$/, (route) => route.fulfill(refused));
    const notes = ['or drop it here: CycloneDX or SPDX', 'or drop it here: OpenVEX'];
    const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-drop-'));
    for (const [at, note] of notes.entries()) {
      const files = [`${at}.json`, `${at}-other.json`].map((name) => path.join(folder, name));
      await dropFiles(page.getByText(note), files);
      await page.getByText(`Not taken: ${at}-other.json.`).waitFor();
      await page.getByText('No such thing.').nth(at).waitFor();
    }
    await rm(folder, { recursive: true });
  });

  test('an upload that is left before the server answers does not look as if it had been received', async () => {
    const page = await stage().open('/findings');
    await heading(page, /findings/);
    await drop(page, 'left.json');
    const dialog = page.getByRole('dialog', { name: 'Upload left.json' });
    const keys = keysOf(page);
    await keys.choose(dialog.getByLabel('Project'), 'Billing');
    const send = await holdBack(page, /\/sboms\/upload$/);
    await keys.activate(dialog.getByRole('button', { name: 'Upload' }));
    await dialog.getByText('Sending left.json').waitFor();
    await keys.press('Escape');
    await page.getByRole('status').getByText('has not answered yet').waitFor();
    send();
  });

  test('a file that nobody takes does not make the browser leave the page', async () => {
    const { open, running } = stage();
    const page = await open('/findings');
    await heading(page, /findings/);
    const isKept = () =>
      page.evaluate<boolean[]>(
        `['dragover', 'drop'].map((type) => { const dataTransfer = new DataTransfer(); dataTransfer.items.add(new File(['{}'], 'kept.json')); const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }); document.body.dispatchEvent(event); return event.defaultPrevented; })`,
      );
    await page.route('**/api/v1/me', async (route) => {
      const me = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...me, rights: [{ right: 'read', project_ids: null }] } });
    });
    await page.reload();
    await heading(page, /findings/);
    expect(await isKept()).toEqual([true, true]);
    await page.getByRole('status').getByText('may not upload').waitFor();
    await keysOf(page).activate(page.getByRole('button', { name: 'Sign out' }));
    await page.getByLabel('API key').waitFor();
    expect(await isKept()).toEqual([true, true]);
    expect(page.url()).toBe(`${running.target.baseUrl}/findings`);
  });
}

/** Drops documents anywhere on the page. */
export async function drop(page: Page, ...names: string[]): Promise<void> {
  const contents = npmDocument('dropped', ['parse-core-0@1.0.2']).toString();
  const dataTransfer = await page.evaluateHandle(
    `(() => { const all = new DataTransfer(); for (const name of ${JSON.stringify(names)}) all.items.add(new File([${JSON.stringify(contents)}], name)); return all; })()`,
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

/** Drops files of the disk on a place that takes them: it reads no others. */
async function dropFiles(place: Locator, files: string[]): Promise<void> {
  for (const file of files) await writeFile(file, '{}');
  await place.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await place.boundingBox()) ?? {};
  const input = await place.page().context().newCDPSession(place.page());
  const at = { x: x + 5, y: y + 5, data: { items: [], files, dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await input.send('Input.dispatchDragEvent', { type, ...at });
  await input.detach();
}
