/// <reference types="jest" />
import type { CliBench } from '../support/cli/cli-bench';
import { lastLine } from '../support/cli/installed-cli';

/** Tests of the commands for standing rules. */
export function decisionRuleTests(cli: () => CliBench): void {
  let bench: CliBench;

  beforeAll(() => {
    bench = cli();
  });

  /** Names the owner and a label of a service. */
  async function own(slug: string, name: string): Promise<void> {
    const { client } = bench.running;
    const [project] = (await client.projectsBySlug(slug)).items;
    const services = await client.listServices(project?.id ?? '');
    const id = services.find((one) => one.name === name)?.id ?? '';
    await client.updateService(id, { owner: 'Checkout', labels: ['PCI'] });
  }

  test('a standing rule is previewed, created, listed and deleted, and decides about what comes later', async () => {
    const slug = await bench.project();
    const run = async (command: string): Promise<[number | null, string, string]> => {
      const ended = await bench.run(`${command} --project ${slug}`);
      return [ended.code, lastLine(ended), ended.out];
    };
    const upload = (service: string) =>
      run(`upload bad.json --version 1 --wait 60s --service ${service}`);
    const open = async (): Promise<number> => {
      const [, , out] = await run('vulns --output json');
      return (JSON.parse(out) as { total: number }).total;
    };
    await upload('web');
    const before = await open();
    expect(before).toBeGreaterThan(1);
    const filter = '--package bad --ecosystem npm --severity critical,high';
    const about = '--name bad --decision not_affected --reason unused';
    const [code, line, out] = await run(`decision-rules preview ${filter}`);
    expect([code, line, out]).toEqual([
      0,
      expect.stringContaining('would decide 1 vulnerability'),
      expect.stringContaining('CVE-2026-1'),
    ]);
    expect((await run(`decision-rules create ${about}`))[1]).toContain('or --all');
    const why = '--justification vulnerable_code_not_in_execute_path --expires 90d';
    expect(
      (await run(`decision-rules create ${filter} ${about} --justification nonsense`))[0],
    ).toBe(2);
    const created = await run(`decision-rules create ${filter} ${about} ${why}`);
    expect(created.slice(0, 2)).toEqual([0, expect.stringMatching(/^CREATED rule .*not_affected/)]);
    expect(await open()).toBe(before - 1);
    await upload('api');
    expect(await open()).toBe(2 * (before - 1));
    expect((await run(`decision-rules preview ${filter}`))[1]).toContain('0 vulnerabilities');
    const listed = await run('decision-rules list --output json');
    const { items } = JSON.parse(listed[2]) as { items: { id: string; decided: number }[] };
    expect(items).toMatchObject([{ name: 'bad', decided: 2, decision: 'not_affected' }]);
    const table = (await run('decision-rules list'))[2];
    expect(table).toContain('package_name bad');
    expect(table).toContain('severity critical,high');
    const deleted = await bench.run(`decision-rules delete ${items[0]?.id}`);
    expect([deleted.code, lastLine(deleted)]).toEqual([0, expect.stringMatching(/^DELETED rule/)]);
    expect(await open()).toBe(2 * before);
    expect((await run('decision-rules preview --direct --indirect'))[0]).toBe(2);
  });

  test('a standing rule by owner and label decides in the services of that owner only', async () => {
    const slug = await bench.project();
    const run = (command: string) => bench.run(`${command} --project ${slug}`);
    for (const service of ['web', 'api'])
      await run(`upload bad.json --version 1 --wait 60s --service ${service}`);
    const owned = '--owner checkout --label pci';
    expect(lastLine(await run(`decision-rules preview ${owned}`))).toContain('0 vulnerabilities');
    await own(slug, 'web');
    const preview = lastLine(await run(`decision-rules preview ${owned}`));
    const about = '--name ours --decision not_affected --reason unused';
    const created = lastLine(await run(`decision-rules create ${owned} ${about}`));
    const decided = /: (\d+) vulnerabilities/.exec(created)?.[1];
    expect(preview).toContain(`${decided} vulnerabilities`);
    expect(Number(decided)).toBeGreaterThan(0);
    const { out } = await run('vulns --output json');
    const { items } = JSON.parse(out) as { items: { service_name: string }[] };
    expect(new Set(items.map(({ service_name }) => service_name))).toEqual(new Set(['api']));
    expect((await run('decision-rules list')).out).toContain('owner checkout, label pci');
  });
}
