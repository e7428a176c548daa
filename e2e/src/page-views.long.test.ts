import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createAlertCalls } from './support/alerts/alert-calls';
import { layDeadLetter } from './support/bus/lay-dead-letter';
import { accessibilityFaults } from './support/page/accessibility';
import { hostileTexts } from './support/page/hostile-texts';
import { pageAddresses } from './support/page/page-addresses';
import { startPageStage, type PageStage } from './support/page/page-stage';
import { isWide, rows } from './support/page/parts-of-views';

const screenshots = path.join(__dirname, '..', 'screenshots');

/** The views whose pictures are in docs/page, by the name of their file, and in which theme; the job summary is no view. */
const documented: Record<string, readonly [file: string, theme: 'light' | 'dark']> = {
  overview: ['overview', 'light'],
  finding: ['finding', 'dark'],
  plan: ['plan', 'light'],
  service: ['service', 'dark'],
  tree: ['tree', 'light'],
  affected: ['affected', 'dark'],
  feeds: ['feeds', 'light'],
  alerts: ['alerts', 'dark'],
  rules: ['decisions', 'light'],
  diff: ['diff', 'dark'],
  import: ['import', 'light'],
};

/** Some forty views, each in two themes and three times on a busy machine. */
const viewsMs = 900_000;

let stage: PageStage;

beforeAll(async () => {
  mkdirSync(path.join(screenshots, 'docs'), { recursive: true });
  stage = await startPageStage();
  await layDeadLetter(stage.running, 'scanner-uploads');
  const { client } = stage.running;
  const [bad] = (await client.vulnerabilities({ project_id: stage.data.hostile.id })).items;
  await client.accept({
    project_id: stage.data.hostile.id,
    vulnerability_id: bad?.id ?? '',
    decision: 'in_triage',
    reason: hostileTexts.join(' ').slice(0, 1_000),
    assignee: hostileTexts[0]?.slice(0, 255) ?? null,
  });
  for (const rule of [{ severity_threshold: 'high', notification_type: 'slack' }, { kev: true }])
    await createAlertCalls(stage.running.target).create({
      project_id: stage.data.shop.id,
      ...rule,
    });
});
afterEach(() => stage.closeTabs());
afterAll(() => stage?.stop());

test(
  'no view has a fault of accessibility in both themes, each fits into 360 pixels, and shows hostile texts as text',
  async () => {
    const page = await stage.open('/');
    const found: string[] = [];
    const save = (name: string) => page.screenshot({ path: path.join(screenshots, `${name}.png`) });
    const saveForDocs = async (view: string, theme: 'light' | 'dark') => {
      const [file, shown] = documented[view] ?? [];
      if (shown !== theme) return;
      const target = path.join(screenshots, 'docs', `${file}.jpg`);
      await page.screenshot({ path: target, type: 'jpeg', quality: 70 });
    };
    for (const [view, address] of Object.entries(await pageAddresses(stage.running, stage.data))) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 860 });
      await page.goto(address);
      await page.waitForLoadState('networkidle');
      await save(`${view}-light`);
      await saveForDocs(view, 'light');
      found.push(...(await accessibilityFaults(page, { view, onlyColours: false })));
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html[data-theme=dark]').waitFor();
      await save(`${view}-dark`);
      await saveForDocs(view, 'dark');
      found.push(...(await accessibilityFaults(page, { view, onlyColours: true })));
      await page.setViewportSize({ width: 360, height: 780 });
      await save(`${view}-360`);
      if (await page.evaluate(isWide)) {
        found.push(`${view}: is wider than 360 pixels`);
      }
      if (/[\u202a-\u202e\u2066-\u2069]/.test(await page.locator('body').innerText())) {
        found.push(`${view}: a text turns the direction of what follows`);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 3840, height: 2160 });
    await page.goto('/findings');
    await rows(page).first().waitFor();
    await save('findings-4k');
    expect(found).toEqual([]);
    expect(await page.evaluate('window.broken')).toBeUndefined();
  },
  viewsMs,
);
