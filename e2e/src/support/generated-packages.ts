import { sequence } from '@bomtrail/testkit';

/** An advisory in OSV's format. */
interface GeneratedRecord {
  id: string;
  aliases: string[];
  modified: string;
  withdrawn?: string;
  affected: {
    package: { ecosystem: string; name: string };
    ranges: object[];
    versions: string[];
  }[];
}

const versions = [
  ...[
    '0.1.0',
    '0.1.5',
    '0.2.0',
    '0.3.0',
    '1.0.0-rc.1',
    '1.0.0',
    '1.1.0',
    '1.1.5',
    '1.2.0',
    '1.3.0',
  ],
  ...['2.0.0-beta.2', '2.0.0', '2.1.0', '2.2.0', '3.0.0', '3.1.0'],
];

/**
 * Packages with random advisories, and a document with one to three versions of each: several windows, listed
 * versions, fixes in prereleases, none at all, aliases with other ranges, withdrawn ones, malicious packages.
 *
 * @param seed equal seeds give equal packages
 */
export function generatedPackages(
  seed: number,
  count: number,
): { document: Buffer; records: GeneratedRecord[] } {
  const below = sequence(seed);
  const isOneOf = (percent: number): boolean => below(100) < percent;
  const records: GeneratedRecord[] = [];
  const components: object[] = [];
  for (let number = 0; number < count; number++) {
    const name = `generated-${number}`;
    const advisories = 1 + below(5);
    for (let at = 0; at < advisories; at++) {
      const cve = `CVE-2031-${String(number * 10 + at).padStart(5, '0')}`;
      const id = isOneOf(6) ? `MAL-${number}-${at}` : `GENERATED-${number}-${at}`;
      records.push(recordOf(id, cve, name));
      if (isOneOf(20)) records.push(recordOf(`ALSO-${number}-${at}`, cve, name));
    }
    const used = new Set(Array.from({ length: 1 + below(3) }, () => below(versions.length - 3)));
    for (const index of used) {
      const version = versions[index] ?? '';
      components.push({ type: 'library', name, version, purl: `pkg:cargo/${name}@${version}` });
    }
  }
  const document = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components };
  return { document: Buffer.from(JSON.stringify(document)), records };

  function recordOf(id: string, cve: string, name: string): GeneratedRecord {
    const points = [...new Set(Array.from({ length: 1 + below(4) }, () => below(versions.length)))]
      .sort((a, b) => a - b)
      .map((index) => versions[index] ?? '');
    const begin = isOneOf(50) ? '0' : points.shift();
    const events: object[] = [{ introduced: begin ?? '0' }];
    for (const [index, point] of points.entries())
      if (index % 2 === 1) events.push({ introduced: point });
      else events.push(isOneOf(20) ? { last_affected: point } : { fixed: point });
    const listed = isOneOf(15) ? [versions[below(versions.length)] ?? ''] : [];
    return {
      id,
      aliases: [cve],
      modified: '2031-01-01T00:00:00Z',
      ...(isOneOf(5) ? { withdrawn: '2031-01-02T00:00:00Z' } : {}),
      affected: [
        {
          package: { ecosystem: 'crates.io', name },
          ranges: [{ type: 'SEMVER', events }],
          versions: listed,
        },
      ],
    };
  }
}
