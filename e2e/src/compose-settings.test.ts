import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const services = readdirSync(path.join(root, 'services')).sort();

/** Keys of a Zod object, as the settings' schemas write them: one a line, in capitals. */
const schemaKey = /^\s+([A-Z][A-Z0-9_]*):/gm;
/** A setting in the compose file. */
const composeKey = /^ {2,}([A-Z][A-Z0-9_]*):/;

function settingsIn(...parts: string[]): string[] {
  const text = readFileSync(path.join(root, ...parts), 'utf8');
  return [...text.matchAll(schemaKey)].map((match) => match[1] ?? '');
}

/** Settings by the top-level or service block of the compose file in which they stand. */
function composeSettings(): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  let block = '';
  for (const line of readFileSync(path.join(root, 'docker-compose.yml'), 'utf8').split('\n')) {
    block = /^ {0,2}([a-z-]+):/.exec(line)?.[1] ?? block;
    const setting = composeKey.exec(line)?.[1];
    if (setting) blocks.set(block, [...(blocks.get(block) ?? []), setting]);
  }
  return blocks;
}

const common = settingsIn('packages', 'service-kit', 'src', 'settings', 'common-settings.ts');
const compose = composeSettings();

describe('the compose file', () => {
  test('runs every service', () => {
    const text = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
    const built = [...text.matchAll(/target: ([a-z]+)/g)].map((match) => match[1]);
    expect(built.sort()).toEqual(services);
  });

  test('gives all services settings that every service knows', () => {
    expect(compose.get('x-common-settings')).toEqual(
      expect.arrayContaining(['MONGODB_URI', 'NATS_URL']),
    );
    expect(compose.get('x-common-settings')?.filter((name) => !common.includes(name))).toEqual([]);
  });

  test.each(services)('gives %s only settings that it knows', (service) => {
    const known = [...common, ...settingsIn('services', service, 'src', 'config.ts')];
    expect((compose.get(service) ?? []).filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('the image file', () => {
  test('has a target for every service, which starts that one', () => {
    const text = readFileSync(path.join(root, 'deploy', 'docker', 'Dockerfile'), 'utf8');
    for (const service of services) {
      expect(text).toMatch(new RegExp(`^FROM service AS ${service}$`, 'm'));
      expect(text).toContain(`CMD ["node", "services/${service}/dist/main.js"]`);
    }
  });
});
