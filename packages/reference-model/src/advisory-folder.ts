import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ModelAdvisory } from './model-facts';

const vectors = {
  critical: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  medium: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
};

/** A watched folder of npm advisories. */
export interface AdvisoryFolder {
  path: string;
  /** Writes an advisory atomically. */
  put(advisory: ModelAdvisory & { summary?: string }): Promise<void>;
  discard(): Promise<void>;
}

export async function makeAdvisoryFolder(): Promise<AdvisoryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-e2e-feed-'));
  await mkdir(path.join(folder, 'npm'));
  let edition = 0;
  return {
    path: folder,
    async put(advisory) {
      edition += 1;
      const modified = new Date(Date.UTC(2026, 0, 1) + edition * 1000).toISOString();
      const beside = `${folder}-${randomUUID()}`;
      await writeFile(beside, JSON.stringify(osvRecord(advisory, modified)));
      await rename(beside, path.join(folder, 'npm', `${advisory.id}.json`));
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

function osvRecord(advisory: ModelAdvisory & { summary?: string }, modified: string): object {
  const { id, aliases, affects, severity, withdrawn } = advisory;
  const summary = advisory.summary ?? `What ${id} is about`;
  const versions = new Map<string, string[]>();
  for (const component of affects) {
    const at = component.lastIndexOf('@');
    const name = component.slice(0, at);
    versions.set(name, [...(versions.get(name) ?? []), component.slice(at + 1)]);
  }
  return {
    id,
    aliases,
    modified,
    summary,
    ...(withdrawn ? { withdrawn: modified } : {}),
    severity: [{ type: 'CVSS_V3', score: vectors[severity] }],
    affected: [...versions].map(([name, listed]) => ({
      package: { ecosystem: 'npm', name },
      versions: listed,
    })),
  };
}
