import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { STARTER_SET_DATE, starterAdvisoriesFolder } from './index';

interface OsvEvent {
  [kind: string]: string;
}

interface OsvRecord {
  schema_version: string;
  id: string;
  modified: string;
  published: string;
  aliases?: string[];
  summary: string;
  details: string;
  severity?: { type: string; score: string }[];
  affected: {
    package: { ecosystem: string; name: string };
    ranges?: { type: string; events: OsvEvent[] }[];
    versions?: string[];
  }[];
  references: { type: string; url: string }[];
  database_specific: { source: string; severity?: string };
}

interface StarterFile {
  ecosystem: string;
  name: string;
  text: string;
  record: OsvRecord;
}

const ECOSYSTEMS = ['Go', 'Maven', 'NuGet', 'Packagist', 'PyPI', 'RubyGems', 'crates.io', 'npm'];
const SEMVER_ECOSYSTEMS = ['Go', 'crates.io', 'npm'];
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const SEMVER =
  /^(0|(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z.-]+)?)$/;
const VECTORS: Record<string, RegExp> = {
  CVSS_V3:
    /^CVSS:3\.[01]\/AV:[NALP]\/AC:[LH]\/PR:[NLH]\/UI:[NR]\/S:[UC]\/C:[NLH]\/I:[NLH]\/A:[NLH](\/E:[XUPFH])?$/,
  CVSS_V4:
    /^CVSS:4\.0\/AV:[NALP]\/AC:[LH]\/AT:[NP]\/PR:[NLH]\/UI:[NPA]\/VC:[HLN]\/VI:[HLN]\/VA:[HLN]\/SC:[HLN]\/SI:[SHLN]\/SA:[SHLN](\/E:[XAPU])?$/,
};
const ALIASES = [
  /^CVE-\d{4}-\d{4,}$/,
  /^GHSA(-[23456789cfghjmpqrvwx]{4}){3}$/,
  /^PYSEC-\d{4}-\d+$/,
  /^GO-\d{4}-\d{4,}$/,
  /^RUSTSEC-\d{4}-\d{4}$/,
  /^CGA(-[23456789cfghjmpqrvwx]{4}){3}$/,
  /^BIT-[a-z0-9-]+-\d{4}-\d{4,}$/,
  /^SNYK-[A-Z]+-[A-Z0-9]+-\d+$/,
];
const COVERED: Record<string, string[]> = {
  npm: 'lodash minimist axios jsonwebtoken qs express ws node-fetch follow-redirects semver json5 tough-cookie'.split(
    ' ',
  ),
  PyPI: 'django requests pyyaml pillow urllib3 jinja2 flask werkzeug certifi cryptography aiohttp'.split(
    ' ',
  ),
  Maven: [
    'org.apache.logging.log4j:log4j-core',
    'com.fasterxml.jackson.core:jackson-databind',
    'org.springframework:spring-beans',
    'org.springframework:spring-webmvc',
    'org.yaml:snakeyaml',
    'org.apache.commons:commons-text',
    'commons-fileupload:commons-fileupload',
    'org.apache.tomcat.embed:tomcat-embed-core',
    'com.h2database:h2',
    'com.alibaba:fastjson',
    'commons-collections:commons-collections',
    'com.thoughtworks.xstream:xstream',
    'io.netty:netty-handler',
    'io.netty:netty-codec-http2',
  ],
  Go: [
    'golang.org/x/net',
    'golang.org/x/crypto',
    'golang.org/x/text',
    'github.com/dgrijalva/jwt-go',
    'github.com/gin-gonic/gin',
  ],
  RubyGems: ['rack', 'actionpack', 'activesupport', 'nokogiri', 'loofah'],
  NuGet: ['Newtonsoft.Json', 'System.Text.Encodings.Web', 'System.Text.Json'],
  'crates.io': ['time', 'openssl', 'regex', 'smallvec', 'hyper'],
  Packagist: ['symfony/http-kernel', 'guzzlehttp/guzzle', 'laravel/framework', 'twig/twig'],
};

function readSet(): StarterFile[] {
  const folder = starterAdvisoriesFolder();
  return readdirSync(folder).flatMap((ecosystem) =>
    readdirSync(join(folder, ecosystem)).map((name) => {
      const text = readFileSync(join(folder, ecosystem, name), 'utf8');
      return { ecosystem, name, text, record: JSON.parse(text) as OsvRecord };
    }),
  );
}

/** The numbers at the start of a version; enough to see an introduced and a fixed one swapped. */
function releaseNumbers(version: string): number[] {
  return (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}

function isAfter(a: string, b: string): boolean {
  const [left, right] = [releaseNumbers(a), releaseNumbers(b)];
  const length = Math.max(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

const files = readSet();
const records = [...new Map(files.map((file) => [file.record.id, file.record])).values()];
const everyRecord = records.map((record) => [record.id, record] as const);

describe('the starter set as a whole', () => {
  test('lies in an absolute folder with one folder for each of the eight ecosystems', () => {
    expect(isAbsolute(starterAdvisoriesFolder())).toBe(true);
    expect(readdirSync(starterAdvisoriesFolder()).sort()).toEqual(ECOSYSTEMS);
  });

  test('holds 55 to 70 advisories and at least three of each ecosystem', () => {
    expect(records.length).toBeGreaterThanOrEqual(55);
    expect(records.length).toBeLessThanOrEqual(70);
    for (const ecosystem of ECOSYSTEMS) {
      expect(files.filter((file) => file.ecosystem === ecosystem).length).toBeGreaterThanOrEqual(3);
    }
  });

  test('keeps each advisory under its id in the folder of every ecosystem that it names', () => {
    for (const record of records) {
      const named = [...new Set(record.affected.map((affected) => affected.package.ecosystem))];
      const copies = files.filter((file) => file.name === `${record.id}.json`);
      expect({ id: record.id, folders: copies.map((copy) => copy.ecosystem).sort() }).toEqual({
        id: record.id,
        folders: named.sort(),
      });
      expect(new Set(copies.map((copy) => copy.text)).size).toBe(1);
    }
    expect(files.filter((file) => file.name !== `${file.record.id}.json`)).toEqual([]);
  });

  test('names no vulnerability of a package twice under different ids', () => {
    const seen = new Map<string, string>();
    for (const record of records) {
      const packages = new Set(
        record.affected.map(({ package: { ecosystem, name } }) => `${ecosystem} ${name}`),
      );
      for (const packageKey of packages) {
        for (const id of [record.id, ...(record.aliases ?? [])]) {
          const first = seen.get(`${packageKey} ${id}`) ?? record.id;
          expect(`${packageKey} ${id} ${record.id}`).toBe(`${packageKey} ${id} ${first}`);
          seen.set(`${packageKey} ${id}`, first);
        }
      }
    }
  });

  test('has an advisory for each well-known package that the example documents may hold', () => {
    const affected = new Set(
      records.flatMap((record) =>
        record.affected.map(({ package: { ecosystem, name } }) => `${ecosystem} ${name}`),
      ),
    );
    const missing = Object.entries(COVERED)
      .flatMap(([ecosystem, names]) => names.map((name) => `${ecosystem} ${name}`))
      .filter((packageKey) => !affected.has(packageKey));
    expect(missing).toEqual([]);
  });
});

describe.each(everyRecord)('%s', (id, record) => {
  test('has an id, dates not after the date of the set, and says where it comes from', () => {
    expect(record.schema_version).toMatch(/^1\.7\.\d+$/);
    expect(ALIASES.some((form) => form.test(id))).toBe(true);
    for (const timestamp of [record.published, record.modified]) {
      expect(timestamp).toMatch(TIMESTAMP);
      expect(new Date(timestamp).getUTCFullYear()).toBeGreaterThan(2000);
      expect(timestamp.slice(0, 10) <= STARTER_SET_DATE).toBe(true);
    }
    expect(Date.parse(record.modified)).toBeGreaterThanOrEqual(Date.parse(record.published));
    expect(record.database_specific.source).toBe('bomtrail starter set');
    expect(record).not.toHaveProperty('withdrawn');
  });

  test('has well-formed aliases, each once and none of them itself', () => {
    const aliases = record.aliases ?? [];
    expect(aliases.filter((alias) => !ALIASES.some((form) => form.test(alias)))).toEqual([]);
    expect(new Set([id, ...aliases]).size).toBe(aliases.length + 1);
  });

  test('has a short summary, one or two plain sentences of details, and safe references', () => {
    expect(record.summary.length).toBeGreaterThan(10);
    expect(record.summary.length).toBeLessThanOrEqual(100);
    const sentences = record.details.match(/[.!?](?=\s|$)/g) ?? [];
    expect(sentences.length).toBeGreaterThanOrEqual(1);
    expect(sentences.length).toBeLessThanOrEqual(2);
    expect(`${record.summary}${record.details}`).not.toMatch(/[<>`#\n]|\]\(/);
    for (const reference of record.references) expect(reference.url).toMatch(/^https:\/\//);
  });

  test('has syntactically right CVSS vectors, or a known word, or no severity at all', () => {
    const severity = record.severity ?? [];
    for (const { type, score } of severity) {
      expect(Object.keys(VECTORS)).toContain(type);
      expect(score).toMatch(VECTORS[type] ?? /^$/);
    }
    expect(new Set(severity.map(({ type }) => type)).size).toBe(severity.length);
    expect([undefined, 'LOW', 'MODERATE', 'HIGH', 'CRITICAL']).toContain(
      record.database_specific.severity,
    );
  });

  test('has ranges of well-formed events, or listed versions, for each affected package', () => {
    expect(record.affected.length).toBeGreaterThan(0);
    expect(record.affected.some((affected) => (affected.ranges ?? []).length > 0)).toBe(true);
    for (const affected of record.affected) {
      expect(ECOSYSTEMS).toContain(affected.package.ecosystem);
      expect(affected.package.name).toMatch(/^\S+$/);
      const ranges = affected.ranges ?? [];
      expect(ranges.length + (affected.versions ?? []).length).toBeGreaterThan(0);
      for (const range of ranges) {
        expect(['SEMVER', 'ECOSYSTEM']).toContain(range.type);
        expectWellFormedEvents(range.events, affected.package.ecosystem);
      }
    }
  });
});

function expectWellFormedEvents(events: OsvEvent[], ecosystem: string): void {
  let introduced: string | undefined;
  for (const event of events) {
    const [[kind, version] = ['', ''], ...others] = Object.entries(event);
    expect(others).toEqual([]);
    expect(['introduced', 'fixed', 'last_affected']).toContain(kind);
    expect(version).toMatch(SEMVER_ECOSYSTEMS.includes(ecosystem) ? SEMVER : /^\d\S*$/);
    if (kind === 'introduced') {
      expect(introduced).toBeUndefined();
      introduced = version;
    } else {
      expect(introduced).toBeDefined();
      expect(isAfter(introduced ?? '', version)).toBe(false);
      introduced = undefined;
    }
  }
  const kinds = events.flatMap((event) => Object.keys(event));
  expect(kinds).toContain('introduced');
  expect(kinds.includes('fixed') && kinds.includes('last_affected')).toBe(false);
}
