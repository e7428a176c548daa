import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { passwordVariable, serviceNames } from '@bomtrail/messages';
import { commonSettings } from '@bomtrail/service-runtime';
import { parse } from 'yaml';

const root = path.join(__dirname, '..', '..');
const read = (...file: string[]): string => readFileSync(path.join(root, ...file), 'utf8');

interface Container {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, Container>;
}

const base = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const overlay = parse(read('deploy', 'compose', 'with-users.yaml')) as Compose;
const of = (name: string): Container => overlay.services[name] ?? {};

/** The variables that must be set, by the setting or variable in a container that they become. */
function variables({ environment = {} }: Container): Record<string, string> {
  const found = Object.entries(environment).map(([name, value]) => [
    name,
    /^\$\{(\w+):\?/.exec(value)?.[1] ?? '',
  ]);
  return Object.fromEntries(found.filter(([, variable]) => variable)) as Record<string, string>;
}

describe('With users over the compose file', () => {
  test.each(serviceNames)('%s signs in as itself, by settings that it knows', (service) => {
    const { environment = {}, depends_on } = of(service);
    expect(Object.keys(base.services)).toContain(service);
    expect(Object.keys(commonSettings.shape)).toEqual(
      expect.arrayContaining(Object.keys(environment)),
    );
    expect(environment).toMatchObject({
      NATS_USER: service,
      MONGODB_USERNAME: `bomtrail-${service}`,
    });
    expect(variables(of(service))).toEqual({
      NATS_PASSWORD: passwordVariable(service),
      MONGODB_PASSWORD: `MONGODB_${service.toUpperCase()}_PASSWORD`,
    });
    expect(depends_on).toEqual({ 'mongo-users': { condition: 'service_completed_successfully' } });
  });

  test('nats-server and the script for mongosh are given every password that they read', () => {
    const inConfiguration = read('deploy', 'nats', 'permissions.conf').matchAll(
      /password: \$(\w+)/g,
    );
    expect(Object.keys(variables(of('nats'))).sort()).toEqual(
      [...inConfiguration].map(([, name]) => name).sort(),
    );
    const script = read('deploy', 'mongodb', 'users.js');
    const readByScript = serviceNames.filter((name) => script.includes(`["${name}",`));
    expect(readByScript).toHaveLength(serviceNames.length);
    expect(Object.keys(variables(of('mongo-users')))).toEqual(
      expect.arrayContaining(readByScript.map((name) => `MONGODB_${name.toUpperCase()}_PASSWORD`)),
    );
    for (const name of ['nats', 'mongo-users']) {
      for (const [given, from] of Object.entries(variables(of(name)))) {
        if (!given.startsWith('MONGO_INITDB')) expect(given).toBe(from);
      }
    }
  });

  test.each(['mongo', 'nats'])('%s is started as without them, and with more', (server) => {
    const { command = [] } = base.services[server] ?? {};
    expect(command.length).toBeGreaterThan(1);
    expect(of(server).command).toEqual(expect.arrayContaining(command));
  });

  test('what it names is there', () => {
    for (const name of Object.keys(overlay.services).filter((one) => one !== 'mongo-users')) {
      expect(Object.keys(base.services)).toContain(name);
    }
    expect(of('mongo-users').image).toBe(base.services['mongo']?.image);
    const mounted = Object.values(overlay.services).flatMap(({ volumes = [] }) => volumes);
    const files = mounted.map((volume) => volume.split(':')[0] ?? '');
    expect(files).toHaveLength(2);
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('the commands of docs/security.md make all passwords, each of its own', () => {
    const [, block = ''] =
      /### With the compose file[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('docs', 'security.md')) ??
      [];
    const folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-passwords-'));
    try {
      const commands = block.replace(/^docker .*$/m, '');
      execFileSync('sh', ['-eu', '-c', commands], { cwd: folder });
      const lines = readFileSync(path.join(folder, '.env'), 'utf8').trim().split('\n');
      const made = new Map(lines.map((line) => line.split('=') as [string, string]));
      const wanted = Object.values(overlay.services).flatMap((one) =>
        Object.values(variables(one)),
      );
      expect([...made.keys()].sort()).toEqual([...new Set(wanted)].sort());
      expect(new Set(made.values()).size).toBe(lines.length);
      for (const password of made.values()) expect(password).toMatch(/^[a-z][0-9a-f]{48}$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
