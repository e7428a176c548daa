/// <reference types="jest" />
import { send } from '@bomtrail/api-client';
import type { Page } from 'playwright-core';
import { keysOf } from './keys';
import { exploited } from './page-addresses';
import { heading } from './parts-of-views';
import type { PageStage } from './page-stage';

const unknownId = '0197c1a0-0000-7000-8000-000000000000';

/** Tests that nothing unknown is shown as none, with the stack of the other ones. */
export function unknownTests(stage: () => PageStage): void {
  /** Changes what the server says, as seen by one tab. */
  const change = <T extends object>(page: Page, pattern: string, changed: (body: T) => object) =>
    page.route(pattern, async (route) => {
      const body = (await (await route.fetch()).json()) as T;
      await route.fulfill({ json: { ...body, ...changed(body) } });
    });
  const unscanned = { scan_status: 'failed', scan_error: 'Too large.', coverage: null };
  const serviceOfShop = async () => {
    const { running, data } = stage();
    const { items } = await running.client.history(data.shop.id);
    const [newer, older] = items.filter(({ service_name }) => service_name === 'checkout');
    if (!newer || !older) throw new Error('The service has too few versions.');
    return { newer, older, address: `/projects/${data.shop.slug}/services/${newer.service_id}` };
  };

  test('an SBOM whose scan failed has no number of findings, and none of an earlier one are gone', async () => {
    const { open } = stage();
    const { newer, older, address } = await serviceOfShop();
    const page = await open(`/sboms/${newer.id}`);
    await page.getByRole('tab', { name: /^Findings [1-9]/ }).waitFor();
    await change(page, `**/api/v1/sboms/${newer.id}`, () => ({
      ...unscanned,
      vulnerabilities: [],
    }));
    await page.reload();
    await page.getByText('Scan failed', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Findings –' }).waitFor();
    await page.getByRole('tab', { name: 'Not checked –' }).waitFor();
    await page.getByText('nothing can be said about its findings').waitFor();
    await page.goto(`/sboms/${older.id}/diff/${newer.id}`);
    await page
      .getByText(`among the findings is unknown: ${newer.version} is not scanned`)
      .waitFor();
    expect(await page.getByRole('heading', { name: /findings? gone/ }).count()).toBe(0);
    await change<{ items: { id: string }[] }>(page, '**/history?**', ({ items }) => ({
      items: [{ ...items[0], id: 'new', scan_status: 'failed', counts: null }, ...items],
    }));
    await page.goto(address);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Scan failed').waitFor();
    expect(await timeline.getByText('no change').count()).toBe(0);
  });

  test('the numbers of a service say that they are not of its newest SBOM, while that is not scanned', async () => {
    const { open } = stage();
    const { newer, address } = await serviceOfShop();
    const page = await open('/search');
    type Listed = { latest_sbom: { id: string } | null }[];
    await page.route('**/api/v1/services?**', async (route) => {
      const services = (await (await route.fetch()).json()) as Listed;
      const json = services.map(({ latest_sbom, ...one }) => ({
        ...one,
        latest_sbom: latest_sbom && { ...latest_sbom, scan_status: 'failed' },
      }));
      await route.fulfill({ json });
    });
    await page.goto(address);
    const said = page.getByRole('alert').filter({ hasText: 'are those of an earlier one' });
    await said.getByText('Scan failed').waitFor();
    await said.getByRole('link', { name: newer.version ?? '' }).waitFor();
    await page.goto(address.replace(/\/services.*/, ''));
    const row = page.getByRole('row').filter({ hasText: 'checkout' }).first();
    await row.getByText('Scan failed').waitFor();
  });

  test('where nothing could be checked, an empty list and a 0 say that they are unknown', async () => {
    const { open, data, running } = stage();
    const { newer } = await serviceOfShop();
    const page = await open('/search');
    const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, total: 0 };
    const coverage = { components: 3, evaluated: 0, undetermined: { no_purl: 3 }, scope: 'none' };
    type Listed = { latest_sbom: object | null }[];
    await page.route('**/api/v1/services?**', async (route) => {
      const services = (await (await route.fetch()).json()) as Listed;
      const json = services.map(({ latest_sbom, ...one }) => ({
        ...one,
        counts: none,
        latest_sbom: latest_sbom && { ...latest_sbom, coverage },
      }));
      await route.fulfill({ json });
    });
    await change(page, '**/vulnerabilities/summary?**', () => none);
    await page.goto(`/projects/${data.shop.slug}`);
    const row = page.getByRole('row').filter({ hasText: 'checkout' }).first();
    await row.getByText('Unknown: 0 of 3 components could be checked').waitFor();
    await page.getByText(/^Nothing open, but \d+ of \d+ services could not be checked/).waitFor();
    const scope = `project_id=${data.shop.id}&service_id=${newer.service_id}`;
    await page.goto(`/findings?${scope}&q=nothing-has-this`);
    await page.getByText('an empty list does not mean that there is nothing').waitFor();

    const empty = await running.client.createProject({ name: 'Without SBOMs' });
    await page.goto('/projects?name=without');
    await page.getByRole('row').filter({ hasText: empty.name }).getByText('No SBOMs').waitFor();
  });

  test('a project with more SBOMs than are read at first is not called clean by these', async () => {
    const { open, data } = stage();
    const page = await open('/search');
    const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, total: 0 };
    await change(page, '**/vulnerabilities/summary?**', () => none);
    let isOnSecondPage = true;
    await page.route('**/history?**', async (route) => {
      const body = (await (await route.fetch()).json()) as { items: object[] };
      const query = new URL(route.request().url()).searchParams;
      const isLater = query.get('per_page') === '200' && query.get('page') === '2';
      const own = { ...body.items[0], id: 'own', service_id: null, service_name: null };
      const items = isOnSecondPage && isLater ? [{ ...own, scan_status: 'failed' }] : body.items;
      await route.fulfill({ json: { ...body, items, total_pages: 99 } });
    });
    await page.goto(`/projects/${data.shop.slug}`);
    await page.getByText(/^Nothing open, but 1 of \d+ services could not be checked/).waitFor();
    isOnSecondPage = false;
    await page.reload();
    await page
      .getByText(/whether older SBOMs without a service were checked is unknown$/)
      .waitFor();
  });

  test('a report without findings names what it is about, and says if that was not checked', async () => {
    const { open, running } = stage();
    const empty = await running.client.createProject({ name: 'Nothing to report' });
    const page = await open(`/findings/report?project_id=${empty.id}`);
    await heading(page, '0 findings');
    await page.getByText('Open · Nothing to report').waitFor();
    await page.getByText('an empty list does not mean that there is nothing').waitFor();
    await page.goto(`/findings/report?project_id=${unknownId}`);
    await page.getByText(`Open · Project ${unknownId}`).waitFor();
    await page.getByText('What this is based on could not be read').waitFor();
  });

  test('a plan without upgrades says if that was not checked', async () => {
    const { open, running } = stage();
    const empty = await running.client.createProject({ name: 'Nothing to plan' });
    const page = await open(`/plan?project_id=${empty.id}`);
    await page.getByText('an empty list does not mean that there is nothing').waitFor();
    await page.goto(`/plan?project_id=${unknownId}`);
    await page.getByText('What this is based on could not be read').waitFor();
  });

  test('a service that does not exist is not one without SBOMs', async () => {
    const { open, data } = stage();
    const page = await open(`/projects/${data.shop.slug}/services/${unknownId}`);
    await page.getByRole('alert').getByText('There is no such service in Web Shop').waitFor();
    expect(await page.getByText('No SBOMs').count()).toBe(0);
  });

  test('an installation without projects does not say that nothing affects its SBOMs', async () => {
    const page = await stage().open('/search');
    await change(page, '**/api/v1/vulnerabilities?**', () => ({ items: [], total: 0 }));
    await page.goto('/');
    await page.getByText('Nothing is open').waitFor();
    await change(page, '**/api/v1/projects?**', () => ({ items: [], total: 0 }));
    await page.reload();
    await page.getByRole('link', { name: 'Create one, then upload an SBOM.' }).waitFor();
    expect(await page.getByText('Nothing is open').count()).toBe(0);
  });

  test('an empty list of exploited findings says that the catalogue is not loaded', async () => {
    const page = await stage().open('/search');
    await page.goto('/findings?kev=true&q=nothing-has-this');
    await page.getByText('Nothing matches these filters').waitFor();
    expect(await page.getByText('what is exploited is unknown').count()).toBe(0);
    await change<{ risk_feeds: object[] }>(page, '**/advisories/feeds', ({ risk_feeds }) => ({
      risk_feeds: risk_feeds.map((feed) => ({ ...feed, records: 0, last_success_at: null })),
    }));
    await page.reload();
    await page.getByText('what is exploited is unknown').waitFor();
  });

  test('an SBOM with more findings than its table shows says so', async () => {
    const { open } = stage();
    const { newer } = await serviceOfShop();
    const page = await open('/');
    type Body = { vulnerabilities: object[] };
    await change<Body>(page, `**/api/v1/sboms/${newer.id}`, ({ vulnerabilities: [first] }) => ({
      vulnerabilities: Array.from({ length: 301 }, (_, n) => ({ ...first, id: `${n}` })),
    }));
    await page.goto(`/sboms/${newer.id}`);
    await page.getByRole('tab', { name: 'Findings 301' }).waitFor();
    await page.getByText('The 300 worst of 301 are shown.').waitFor();
  });

  test('a comparison and a project with more rows than their tables show say so', async () => {
    const { open, data } = stage();
    const { newer, older } = await serviceOfShop();
    const page = await open('/');
    await change(page, `**/api/v1/sboms/${older.id}/diff/${newer.id}`, () => ({
      added: Array.from({ length: 501 }, (_, n) => ({ name: `package-${n}`, version: '1.0.0' })),
    }));
    await page.goto(`/sboms/${older.id}/diff/${newer.id}`);
    await page.getByRole('heading', { name: '501 added' }).waitFor();
    await page.getByText('The first 500 of 501 are shown.').waitFor();
    await page.route('**/api/v1/services?**', async (route) => {
      const [first] = (await (await route.fetch()).json()) as object[];
      const json = Array.from({ length: 501 }, (_, n) => ({ ...first, id: `${n}` }));
      await route.fulfill({ json });
    });
    await page.goto(`/projects/${data.shop.slug}`);
    await page.getByRole('heading', { name: '501 services' }).waitFor();
    await page.getByText('The first 500 of 501 are shown.').waitFor();
  });

  test('an SBOM that retention dropped is not one without findings', async () => {
    const { open } = stage();
    const { newer } = await serviceOfShop();
    const page = await open('/');
    const dropped = { retained: false, coverage: null, quality: null };
    await change(page, `**/api/v1/sboms/${newer.id}`, () => ({
      ...dropped,
      vulnerabilities: [],
      dependencies: [],
    }));
    await page.goto(`/sboms/${newer.id}`);
    await page.getByText('Contents dropped').waitFor();
    await page.getByRole('link', { name: 'checkout' }).waitFor();
    expect(await page.getByText('No findings').count()).toBe(0);
    expect(await page.getByRole('tab').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Findings as CSV' }).count()).toBe(0);
  });

  test('without the catalogue of exploited vulnerabilities none exploited is unknown', async () => {
    const { open } = stage();
    const page = await open('/search');
    const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, total: 0 };
    await change(page, '**/vulnerabilities/summary?kev=true', () => none);
    await page.goto('/');
    await page.getByRole('link', { name: '0 known exploited' }).waitFor();
    await change<{ risk_feeds: object[] }>(page, '**/advisories/feeds', ({ risk_feeds }) => ({
      risk_feeds: risk_feeds.map((feed) => ({ ...feed, last_success_at: null })),
    }));
    await page.reload();
    await page.getByRole('link', { name: 'Known exploited: unknown' }).waitFor();
    expect(await page.getByRole('link', { name: '0 known exploited' }).count()).toBe(0);
  });

  test('that nobody is known to have a vulnerability says what it does not cover', async () => {
    const { open } = stage();
    const page = await open('/');
    const nobody = { items: [], total: 0 };
    await change(page, '**/search/vulnerabilities/**', () => nobody);
    await page.goto(`/search?q=${exploited}`);
    await page.getByRole('heading', { name: `${exploited} is known, and open` }).waitFor();
    await page.getByText('This does not cover components that could not be checked').waitFor();
    await page.unroute('**/search/vulnerabilities/**');
    await change(page, '**/search/vulnerabilities/**', () => ({
      ...nobody,
      advisory_data: 'starter',
    }));
    await page.reload();
    await page.getByRole('heading', { name: 'but not everything could be checked' }).waitFor();
  });

  test('who sees one project only is not told of all that nobody has something', async () => {
    const { open, data, running } = stage();
    const scope = { scopes: ['read' as const], project_id: data.hostile.id };
    const { id, key: apiKey } = await running.client.createKey({ name: 'hostile', ...scope });
    const page = await open('/search?q=parse-core-0', { apiKey });
    await page.getByRole('heading', { name: 'Nobody uses parse-core-0' }).waitFor();
    await page.getByText('Only the projects that you may see were searched').waitFor();
    await page.goto('/');
    await page.getByText('Only of the projects that you may see.').waitFor();
    await running.client.revokeKey(id);
    const other = await open('/search?q=of-nobody');
    await other.getByRole('heading', { name: 'Nobody uses of-nobody' }).waitFor();
    expect(await other.getByText('that you may see').count()).toBe(0);
  });

  test('a service that has a vulnerability in two packages counts once, and a shortened table says so', async () => {
    const { open } = stage();
    const page = await open('/');
    await page.goto(`/search?q=${exploited}`);
    const answer = page.getByRole('heading', { name: /^Yes: \d+ services have/ });
    const before = await answer.innerText();
    await change<{ items: object[] }>(page, '**/search/vulnerabilities/**', ({ items }) => ({
      items: [...items, { ...items[0], id: 'again', package_name: 'another' }],
      total: items.length + 1,
    }));
    await page.reload();
    await page.getByRole('cell', { name: /^another / }).waitFor();
    expect(await answer.innerText()).toBe(before);
    await page.unroute('**/search/vulnerabilities/**');
    const further = { has_more: true, total: 300 };
    await change(page, '**/search/vulnerabilities/**', () => further);
    await change(page, '**/search/packages?**', () => further);
    await page.reload();
    await page.getByRole('heading', { name: /^Yes: at least \d+ services have/ }).waitFor();
    await page.getByText(/^\d of 300 findings are shown/).waitFor();
    await page.goto('/search?q=left-pad');
    await page.getByText(/^\d of 300 services are shown/).waitFor();
  });

  test('a part of a view that fails says so, and the menu stays', async () => {
    const { open } = stage();
    const { address } = await serviceOfShop();
    const page = await open('/search');
    const failing = { status: 500, json: { detail: 'No.', code: 'internal_error' } };
    const fail = (pattern: string) => page.route(pattern, (route) => route.fulfill(failing));
    await fail('**/api/v1/vulnerabilities?**');
    await fail('**/api/v1/statistics?**');
    await page.goto('/');
    await page.getByRole('link', { name: /^[1-9]\d* known exploited$/ }).waitFor();
    const part = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name }) });
    await part('Look at these first').getByRole('alert').waitFor();
    await part('Open, last 90 days').getByRole('alert').waitFor();
    await page.unroute('**/api/v1/vulnerabilities?**');
    await fail('**/vulnerabilities/summary?overdue=true');
    await page.reload();
    await page.getByRole('link', { name: '– overdue' }).waitFor();
    await fail('**/verdict?**');
    await page.goto(address);
    await page.getByRole('alert').waitFor();
    await page.route('**/readyz', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
    );
    await page.goto('/settings/health');
    await heading(page, 'Health');
    await page.getByRole('alert').getByText('That did not work').waitFor();
    await page.unroute('**/readyz');
    await page.route('**/readyz', (route) => route.fulfill({ json: { checks: null } }));
    await page.reload();
    await heading(page, 'This view has failed');
    await keysOf(page).activate(page.getByRole('link', { name: 'Projects' }));
    await heading(page, /projects/);
  });

  test('data that cannot be fetched again are said to be old until they can', async () => {
    const { open } = stage();
    const page = await open('/search');
    await page.clock.install();
    await page.goto('/settings/feeds');
    const summary = page.getByText(/^\d+ loaded/);
    await summary.waitFor();
    const old = page.getByRole('status').filter({ hasText: 'What is shown may be old.' });
    expect(await old.count()).toBe(0);
    await page.route('**/advisories/feeds', (route) =>
      route.fulfill({ status: 500, json: { detail: 'No.', code: 'internal_error' } }),
    );
    const untilNextRequest = '01:10';
    await page.clock.fastForward(untilNextRequest);
    await old.waitFor();
    expect(await summary.count()).toBe(1);
    await page.unroute('**/advisories/feeds');
    await page.clock.fastForward(untilNextRequest);
    await old.waitFor({ state: 'detached' });
  });

  test('what somebody deletes while it is shown is said to be gone, not that the server fails', async () => {
    const { open, running } = stage();
    const { id, slug } = await running.client.createProject({ name: 'Shown while deleted' });
    const page = await open('/search');
    await page.clock.install();
    await page.goto(`/projects/${slug}`);
    await heading(page, 'Shown while deleted');
    await page.getByText('No SBOMs').first().waitFor();
    await send(running.target, { method: 'DELETE', path: `/api/v1/projects/${id}` });
    await page.clock.fastForward('00:20');
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('status').getByText('does not exist any more').waitFor();
    expect(await page.getByText('The server does not answer').count()).toBe(0);
  });
}
