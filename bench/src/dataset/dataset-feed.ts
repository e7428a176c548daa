import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseModules } from './dataset-plan';

/** A feed in a folder, in OSV's bulk layout, of which the bench changes single advisories. */
export interface DatasetFeed {
  readonly folder: string;
  /** Writes or replaces an advisory about every version of a module below `fixed` (without it: all). */
  publish(advisory: FeedAdvisory): void;
  remove(id: string): void;
}

export interface FeedAdvisory {
  id: string;
  module: string;
  fixed?: string;
  withdrawn?: boolean;
}

/** Modules of every document that have an advisory from the beginning: the rows of each service. */
const modulesWithAdvisory = 60;
/** Advisories in all: as many as Go's vulnerability database has, in orders of magnitude. */
const advisories = 3000;

/** Makes the folder with the advisories that are there from the beginning. */
export function makeDatasetFeed(folder: string, ecosystem = 'Go'): DatasetFeed {
  mkdirSync(join(folder, ecosystem), { recursive: true });
  let clock = Date.UTC(2026, 0, 1);
  const feed: DatasetFeed = {
    folder,
    publish(advisory) {
      clock = Math.max(clock + 1000, Date.now());
      const file = join(folder, ecosystem, `${advisory.id}.json`);
      writeFileSync(
        `${file}.new`,
        JSON.stringify(osvRecord(advisory, { ecosystem, modified: new Date(clock) })),
      );
      renameSync(`${file}.new`, file);
    },
    remove: (id) => rmSync(join(folder, ecosystem, `${id}.json`), { force: true }),
  };
  return feed;
}

/** The advisories of the beginning: some about modules of every document, the rest about nothing at all. */
export function fillDatasetFeed(feed: DatasetFeed): void {
  const held = baseModules().slice(0, modulesWithAdvisory);
  for (let n = 0; n < advisories; n += 1) {
    const module = held[n]?.name ?? `example.com/elsewhere/module-${n}`;
    feed.publish({ id: `GO-2090-${String(n).padStart(4, '0')}`, module });
  }
}

function osvRecord(
  advisory: FeedAdvisory,
  { ecosystem, modified }: { ecosystem: string; modified: Date },
): unknown {
  const { id, module, fixed, withdrawn } = advisory;
  const at = modified.toISOString();
  return {
    id,
    modified: at,
    published: '2026-01-01T00:00:00Z',
    ...(withdrawn ? { withdrawn: at } : {}),
    summary: `Something is wrong in ${module}`,
    details: `What ${id} is about, in some words, so that it has the length of a short text.`,
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
    affected: [
      {
        package: { ecosystem, name: module },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, ...(fixed ? [{ fixed }] : [])] }],
      },
    ],
  };
}
