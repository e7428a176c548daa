import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const notOurs = new Set(['node_modules', 'dist', '.git', '.cache', '.bomtrail', '.turbo']);
const architectureLines = 250;
/** Collections that no store opens itself. */
const openedByLibraries = ['gateway.rate_limits', 'notifier.send_counts', 'ingest.blobs'];

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** Files below a folder of the repository, as paths relative to its root. */
function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : filesBelow(file, ending);
    return entry.name.endsWith(ending) ? [file] : [];
  });
}

/** What stands under a heading of the second level, up to the next one. */
function section(document: string, heading: string): string {
  const [, text = ''] = document.split(`\n## ${heading}\n`);
  return text.split('\n## ')[0] ?? '';
}

const withoutFences = (document: string): string => document.replace(/```[\s\S]*?```/g, '');

/** Where the links of a document lead, without those to other sites. */
function linksOf(document: string): string[] {
  const text = withoutFences(document).replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The files to which the links of a document lead. */
function relativeLinks(document: string): string[] {
  return linksOf(document)
    .map((target) => target.split('#')[0] ?? '')
    .filter((file) => file !== '');
}

/** The anchors that GitHub gives the headings of a document; equal headings are not told apart. */
function anchorsOf(document: string): string[] {
  return [...withoutFences(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

/** The entries of the lists in a text: what stands before the first colon, and what behind it. */
function listEntries(text: string): [string, string][] {
  return [...text.matchAll(/^- ([^:\n]+): (.*)$/gm)].map(([, head = '', rest = '']) => [
    head,
    rest,
  ]);
}

/** The words in backticks. */
function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

const collectionsOf = (service: string): string =>
  section(read(path.join('services', service, 'README.md')), 'Collections');

const documents = filesBelow('.', '.md').sort();
const architecture = read('ARCHITECTURE.md');

describe('the documents', () => {
  test('are found', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/adr/README.md']));
  });

  test.each(documents)('%s links to nothing that is not there', (document) => {
    const folder = path.dirname(path.join(root, document));
    const broken = relativeLinks(read(document)).filter(
      (target) => !existsSync(path.join(folder, target)),
    );
    expect(broken).toEqual([]);
  });

  test.each(documents)('%s links to headings that are there', (document) => {
    const broken = linksOf(read(document)).filter((target) => {
      const [file = '', anchor] = target.split('#');
      const at = file === '' ? document : path.join(path.dirname(document), file);
      return anchor && at.endsWith('.md') && !anchorsOf(read(at)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('every decision stands in the list of decisions', () => {
    const listed = relativeLinks(read('docs/adr/README.md'));
    const written = readdirSync(path.join(root, 'docs', 'adr')).filter((file) => /^\d/.test(file));
    expect(written.filter((file) => !listed.includes(file))).toEqual([]);
  });

  test('every package and every service says what it is for', () => {
    const folders = ['packages', 'services'].flatMap((parent) =>
      readdirSync(path.join(root, parent)).map((name) => path.join(parent, name)),
    );
    const silent = folders.filter((folder) => !existsSync(path.join(root, folder, 'README.md')));
    expect(silent).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  test(`has at most ${architectureLines} lines`, () => {
    expect(architecture.trimEnd().split('\n').length).toBeLessThanOrEqual(architectureLines);
  });

  test('lists every message with its stream, and no other', () => {
    const defined = filesBelow('packages/messages/src', '.ts').flatMap((file) => [
      ...read(file).matchAll(/name: '([a-z.-]+\.v\d+)',\s+stream: '([A-Z]+)'/g),
    ]);
    const messages = section(architecture, 'Messages and versions');
    expect(defined.length).toBeGreaterThan(0);
    const listed = listEntries(messages).flatMap(([stream = '', text = '']) =>
      codesIn(text).map((name) => `${codesIn(stream)[0]} ${name}`),
    );
    expect(listed.sort()).toEqual(defined.map(([, name, stream]) => `${stream} ${name}`).sort());
  });

  test('and the READMEs of services list the collections that the stores open, and no others', () => {
    const stores = filesBelow('services', '.ts').filter(
      (file) => path.basename(path.dirname(file)) === 'store' && !file.endsWith('.test.ts'),
    );
    const opened = stores.flatMap((file) => {
      const service = file.split(path.sep)[1] ?? '';
      return [...read(file).matchAll(/\.collection<[\s\S]*?>\(\s*'?(\w+)'?/g)].map(
        (match) => `${service}.${match[1] === 'collectionName' ? nameIn(file) : match[1]}`,
      );
    });
    const listed = readdirSync(path.join(root, 'services')).flatMap((service) =>
      listEntries(collectionsOf(service)).flatMap(([names]) =>
        codesIn(names).map((name) => `${service}.${name}`),
      ),
    );
    const all = [...new Set([...opened, ...openedByLibraries])];
    expect(listed.sort()).toEqual(all.sort());
    const sharded = listEntries(section(architecture, 'Data')).flatMap(([, text]) =>
      text.split(';').flatMap((part) => {
        const [service = ''] = part.replace(/^.*:/, '').trim().split(' ');
        return codesIn(part.replace(/^.*:/, '')).map((name) => `${service}.${name}`);
      }),
    );
    expect(sharded.length).toBeGreaterThan(20);
    expect(sharded.filter((name) => !listed.includes(name))).toEqual([]);
  });

  test('names only tests that exist', () => {
    const invariants = section(architecture, 'Invariants');
    const named = [...invariants.matchAll(/“([^”]+)” \(`([^`]+)`\)/g)];
    expect(named.length).toBeGreaterThan(0);
    const missing = named.filter(
      ([, title = '', file = '']) =>
        !existsSync(path.join(root, file)) || !read(file).includes(title),
    );
    expect(missing.map((match) => match[0])).toEqual([]);
  });
});

/** The collection's name where a store gives it in a constant. */
function nameIn(file: string): string {
  return /collectionName = '(\w+)'/.exec(read(file))?.[1] ?? '?';
}
