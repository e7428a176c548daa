import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { documentOf, makeAdvisoryFolder } from '@bomtrail/reference-model';
import { eventually } from '@bomtrail/testkit';
import { startTestStack, type TestStack } from '../test-stack';
import { installCli, type CliEnd, type CliRun, type InstalledCli } from './installed-cli';

const loadMs = 30_000;

/** The product with advisories of its own, and the command line installed beside it. */
export interface CliBench {
  running: TestStack;
  cli: InstalledCli;
  /** Where commands run. */
  work: string;
  /** The path of a document: clean, bad (critical and medium), meh (medium), nothing, broken. */
  document: (name: string) => string;
  write: (name: string, content: Uint8Array) => void;
  /** Starts a command; a word like `bad.json` stands for the document of that name. */
  start: (args: string, env?: Record<string, string>) => CliRun;
  run: (args: string, env?: Record<string, string>) => Promise<CliEnd>;
  /** Makes a project and gives its slug. */
  project: () => Promise<string>;
  /** How many SBOMs a project has. */
  history: (slug: string) => Promise<number>;
  stop: () => Promise<void>;
}

export async function startCliBench(): Promise<CliBench> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-e2e-cli-'));
  const feed = await makeAdvisoryFolder();
  for (const [number, name, severity] of [
    [1, 'bad', 'critical'],
    [2, 'meh', 'medium'],
  ] as const) {
    const ids = { id: `GHSA-aaaa-${number}`, aliases: [`CVE-2026-${number}`] };
    await feed.put({ ...ids, affects: [`${name}@1.0.0`], severity, withdrawn: false });
  }
  const running = await startTestStack({ env: { BOMTRAIL_ADVISORY_SOURCE: feed.path } });
  const { stack, client } = running;
  const cli = installCli(folder, {
    BOMTRAIL_URL: stack.baseUrl,
    BOMTRAIL_GRPC_URL: `grpc://127.0.0.1:${stack.grpcPort}`,
    BOMTRAIL_API_KEY: stack.apiKey,
    BOMTRAIL_RETRY_FOR: '20s',
  });
  const document = (name: string): string => path.join(folder, name);
  const write = (name: string, content: Uint8Array): void => writeFileSync(document(name), content);
  for (const [name, content] of documents()) write(name, content);
  await eventually(
    async () => {
      const { feeds } = await client.advisoryFeeds();
      const data_status = feeds.find(({ ecosystem }) => ecosystem === 'npm')?.data_status;
      if (data_status !== 'feed') throw new Error(`npm stands at ${data_status}`);
    },
    { within: loadMs, what: 'the advisories are loaded' },
  );
  const start: CliBench['start'] = (args, env = {}) => {
    const words = args.split(' ').map((word) => (/^\w+\.json$/.test(word) ? document(word) : word));
    return cli.run(words, { env });
  };
  let names = 0;
  return {
    running,
    cli,
    work: path.join(folder, 'work'),
    document,
    write,
    start,
    run: (args, env) => start(args, env).end,
    async project() {
      names += 1;
      return (await client.createProject({ name: `cli ${names}` })).slug;
    },
    async history(slug) {
      const [found] = (await client.projectsBySlug(slug)).items;
      return (await client.history(found?.id ?? '')).total;
    },
    async stop() {
      await running.stop();
      await feed.discard();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function documents(): [string, Buffer][] {
  const withoutPurl = documentOf(['x@1'])
    .toString()
    .replace(/"purl":"[^"]*"/, '"group":"g"');
  return [
    ['clean.json', documentOf(['good@1.0.0'])],
    ['bad.json', documentOf(['good@1.0.0', 'bad@1.0.0', 'meh@1.0.0'])],
    ['meh.json', documentOf(['meh@1.0.0'])],
    ['nothing.json', Buffer.from(withoutPurl)],
    ['broken.json', Buffer.from('{"bomFormat":"CycloneDX","specVersion":"1.5","components":[')],
  ];
}
