import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary feed folder in OSV's bulk layout. */
export interface FeedFolder {
  readonly path: string;
  put(ecosystem: string, record: AdvisoryFixture): Promise<void>;
  /** Writes a file of the folder atomically. */
  write(name: string, content: string | Buffer): Promise<void>;
  remove(name: string): Promise<void>;
  /** Removes the folder; call it at the end of the test. */
  discard(): Promise<void>;
}

/** Fields of an advisory; the rest gets defaults. */
export interface AdvisoryFixture {
  id: string;
  name: string;
  introduced?: string;
  fixed?: string;
  aliases?: string[];
  modified?: string;
  withdrawn?: string;
  summary?: string;
}

export async function makeFeedFolder(): Promise<FeedFolder> {
  const path = await mkdtemp(join(tmpdir(), 'bomtrail-test-feed-'));
  async function write(name: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(path, name)), { recursive: true });
    const beside = `${path}-${randomUUID()}`;
    await writeFile(beside, content);
    await rename(beside, join(path, name));
  }
  return {
    path,
    write,
    put: (ecosystem, record) =>
      write(`${ecosystem}/${record.id}.json`, JSON.stringify(osvJson(ecosystem, record))),
    remove: (name) => rm(join(path, name), { recursive: true }),
    discard: () => rm(path, { recursive: true, force: true }),
  };
}

/** An OSV record of a feed. */
export function osvJson(ecosystem: string, fixture: AdvisoryFixture): Record<string, unknown> {
  const { id, name, introduced = '0', fixed, aliases = [], withdrawn } = fixture;
  return {
    id,
    aliases,
    modified: fixture.modified ?? '2026-01-01T00:00:00Z',
    ...(withdrawn ? { withdrawn } : {}),
    summary: fixture.summary ?? `What ${id} is about`,
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
    affected: [
      {
        package: { ecosystem, name },
        ranges: [{ type: 'SEMVER', events: [{ introduced }, ...(fixed ? [{ fixed }] : [])] }],
      },
    ],
  };
}
