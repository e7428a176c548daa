import { readFileSync } from 'node:fs';
import { affectedKeys, packageKey, readRecord } from '@bomtrail/osv';
import {
  assessVersion,
  type Assessment,
  type GroupedAdvisory,
} from '../matching/domain/assess-version';
import type { Component } from '../matching/domain/component';
import {
  emptyResolvedSet,
  addComponent,
  resolveComponent,
  summariseSet,
  type SetSummary,
} from '../matching/domain/component-set';
import { createFolderSource } from '../feeds/sources/folder-source';

/** Cost of matching alone, without databases, messages and documents, in one process. */
export interface MatchingFigures {
  components: number;
  packageVersions: number;
  matched: number;
  matches: number;
  advisories: number;
  /** Duration of the first pass, before JIT compilation. */
  coldSeconds: number;
  /** Durations of the later passes; nothing is cached between passes. */
  warmSeconds: number[];
  rssBytes: number;
}

/**
 * Resolves, assesses and summarises all components of a list, several times.
 *
 * @param componentsFile JSON array of `Component`
 * @param advisoriesFolder in OSV's bulk layout
 */
export async function measureMatching(
  componentsFile: string,
  advisoriesFolder: string,
  warmPasses: number,
): Promise<MatchingFigures> {
  const components = JSON.parse(readFileSync(componentsFile, 'utf8')) as Component[];
  const { index, count } = await loadAdvisories(advisoriesFolder);
  const cold = pass(components, index);
  const warm = Array.from({ length: warmPasses }, () => pass(components, index).seconds);
  return {
    components: components.length,
    packageVersions: cold.packageVersions,
    matched: cold.summary.matched.length,
    matches: cold.matches,
    advisories: count,
    coldSeconds: cold.seconds,
    warmSeconds: warm,
    rssBytes: process.memoryUsage().rss,
  };
}

type AdvisoryIndex = ReadonlyMap<string, readonly GroupedAdvisory[]>;

function pass(components: readonly Component[], index: AdvisoryIndex) {
  const begin = performance.now();
  const set = emptyResolvedSet();
  for (const component of components) addComponent(set, component, resolveComponent(component));
  const assessments = new Map<string, Assessment>();
  let matches = 0;
  for (const [id, version] of set.versions) {
    const known = index.get(packageKey(version.ecosystem, version.name)) ?? [];
    const assessment = assessVersion(version, known);
    assessments.set(id, assessment);
    matches += assessment.matches.length;
  }
  const summary: SetSummary = summariseSet(set, assessments);
  const seconds = (performance.now() - begin) / 1000;
  return { seconds, summary, matches, packageVersions: set.versions.size };
}

async function loadAdvisories(folder: string): Promise<{ index: AdvisoryIndex; count: number }> {
  const index = new Map<string, GroupedAdvisory[]>();
  let count = 0;
  const { signal } = new AbortController();
  const nothing = { fingerprint: null, hasUnread: false, findHeaders: async () => new Map() };
  for (const part of await createFolderSource(folder, (name) => name).list(signal)) {
    const edition = await part.open(nothing, signal);
    if (typeof edition === 'string') continue;
    for await (const file of edition.files()) {
      const read = readRecord(JSON.parse((await file.read()).toString('utf8')));
      if (!read.ok) continue;
      const { record } = read;
      count += 1;
      for (const key of affectedKeys(record)) {
        const known = index.get(key);
        if (known) known.push({ group: record.id, record });
        else index.set(key, [{ group: record.id, record }]);
      }
    }
    await edition.close();
  }
  return { index, count };
}
