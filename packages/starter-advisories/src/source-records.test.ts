import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { starterAdvisoriesFolder } from './index';

interface OsvRecord {
  id: string;
  modified: string;
  aliases?: string[];
  summary?: string;
  details?: string;
  severity?: { type: string; score: string }[];
  affected: {
    package: { ecosystem: string; name: string };
    ranges?: { type: string; events: Record<string, string>[] }[];
  }[];
}

const SOURCES = resolve(__dirname, '../../../../shared/data/advisories');

/**
 * Records whose source was corrected after the state that the test data holds, and what changed.
 * For these the set carries the corrected facts.
 */
const CORRECTED_SINCE: Record<string, string> = {
  'GHSA-jfh8-c2jp-5v3q':
    'introduced in 2.0-beta9 instead of 0; copies of log4j-core under other names were added',
  'GHSA-wf5p-g6vw-rhxx': 'fixed in 0.28.0 too',
  'GHSA-5crp-9r3c-p9vr': 'CVE-2024-21907 was assigned',
};

/** Unpacks one file of a zip by the central directory; null when the zip does not hold it. */
function readZipEntry(zip: Buffer, name: string): string | null {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let entry = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(entry) === 0x02014b50) {
    const nameLength = zip.readUInt16LE(entry + 28);
    if (zip.toString('utf8', entry + 46, entry + 46 + nameLength) === name) {
      const local = zip.readUInt32LE(entry + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const packed = zip.subarray(start, start + zip.readUInt32LE(entry + 20));
      const isStored = zip.readUInt16LE(entry + 10) === 0;
      return (isStored ? packed : inflateRawSync(packed)).toString('utf8');
    }
    entry += 46 + nameLength + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
  }
  return null;
}

function readPairs(): { starter: OsvRecord; source: OsvRecord }[] {
  return readdirSync(starterAdvisoriesFolder()).flatMap((ecosystem) => {
    const zip = readFileSync(join(SOURCES, ecosystem, 'all.zip'));
    return readdirSync(join(starterAdvisoriesFolder(), ecosystem)).flatMap((name) => {
      const text = readFileSync(join(starterAdvisoriesFolder(), ecosystem, name), 'utf8');
      const source = readZipEntry(zip, name);
      const starter = JSON.parse(text) as OsvRecord;
      return source === null ? [] : [{ starter, source: JSON.parse(source) as OsvRecord }];
    });
  });
}

/** What a record says about versions; git ranges say nothing about a version and are left out. */
function rangeFacts(record: OsvRecord): string[] {
  return record.affected
    .flatMap(({ package: { ecosystem, name }, ranges = [] }) =>
      ranges
        .filter((range) => range.type !== 'GIT')
        .map((range) => `${ecosystem} ${name} ${range.type} ${JSON.stringify(range.events)}`),
    )
    .sort();
}

const testWithSources = existsSync(SOURCES) ? test : test.skip;

describe('the starter set beside the source records (skipped without the shared test data)', () => {
  testWithSources('agrees in aliases and ranges with every source record of the same id', () => {
    const pairs = readPairs();
    expect(pairs.length).toBeGreaterThanOrEqual(40);
    for (const { starter, source } of pairs) {
      if (starter.id in CORRECTED_SINCE) continue;
      expect(starter.id).toBe(source.id);
      expect({ id: starter.id, aliases: [...(starter.aliases ?? [])].sort() }).toEqual({
        id: source.id,
        aliases: [...(source.aliases ?? [])].sort(),
      });
      expect({ id: starter.id, ranges: rangeFacts(starter) }).toEqual({
        id: source.id,
        ranges: rangeFacts(source),
      });
    }
  });

  testWithSources('carries the vectors of the source record where it has some', () => {
    for (const { starter, source } of readPairs()) {
      if ((source.severity ?? []).length === 0) continue;
      expect({ id: starter.id, severity: starter.severity }).toEqual({
        id: source.id,
        severity: source.severity,
      });
    }
  });

  testWithSources('differs only where the source is newer than the test data', () => {
    const pairs = new Map(readPairs().map((pair) => [pair.starter.id, pair]));
    for (const id of Object.keys(CORRECTED_SINCE)) {
      const pair = pairs.get(id);
      expect(pair).toBeDefined();
      if (pair === undefined) continue;
      expect(Date.parse(pair.starter.modified)).toBeGreaterThan(Date.parse(pair.source.modified));
      expect([rangeFacts(pair.starter), pair.starter.aliases]).not.toEqual([
        rangeFacts(pair.source),
        pair.source.aliases,
      ]);
    }
  });

  testWithSources('has its own texts, not those of the source', () => {
    for (const { starter, source } of readPairs()) {
      expect(starter.summary).not.toBe(source.summary);
      expect(starter.details).not.toBe(source.details);
    }
  });
});
