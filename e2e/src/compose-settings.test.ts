import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { ZodObject } from 'zod';

const root = path.join(__dirname, '..', '..');
const services = readdirSync(path.join(root, 'services')).sort();

interface ComposeService {
  image: string;
  build?: { dockerfile: string; target: string };
  command?: string[] | string;
  environment?: Record<string, unknown>;
  volumes?: string[];
  ports?: string[];
  networks?: string[];
  profiles?: string[];
  depends_on?: Record<string, { condition: string }> | string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  tmpfs?: string[];
}

interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
}

function read(...parts: string[]): string {
  return readFileSync(path.join(root, ...parts), 'utf8');
}

/** The settings' schema of a service, as its process reads it. */
async function schemaOf(service: string): Promise<ZodObject> {
  const file = path.join(root, 'services', service, 'src', 'config');
  return ((await import(file)) as { settings: ZodObject }).settings;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as ComposeFile;
const all = Object.entries(compose.services);
const { version } = JSON.parse(read('package.json')) as { version: string };
const images = read('deploy', 'docker', 'Dockerfile');

function one(name: string): ComposeService {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no ${name}`);
  return found;
}

describe('the compose file', () => {
  test('runs every service from its own image', () => {
    const built = all.filter(([, { build }]) => build !== undefined);
    expect(built.map(([name]) => name).sort()).toEqual(services);
    for (const [name, { image, build }] of built) {
      expect(image).toBe(`bomtrail-${name}:${version}`);
      expect(build).toMatchObject({ dockerfile: 'deploy/docker/Dockerfile', target: name });
    }
  });

  test.each(services)('gives %s settings that it knows, and all that it needs', async (service) => {
    const { shape } = await schemaOf(service);
    const given = Object.keys(one(service).environment ?? {});
    const known = Object.keys(shape).flatMap((name) => [name, `${name}_FILE`]);
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
    const required = Object.keys(shape).filter((name) => {
      const schema = shape[name] as { safeParse(value: unknown): { success: boolean } };
      return !schema.safeParse(undefined).success;
    });
    expect(required).toEqual(expect.arrayContaining(['MONGODB_URI', 'NATS_URL']));
    expect(required.filter((name) => !given.includes(name))).toEqual([]);
  });

  test.each(['scanner', 'notifier'])('gives %s the proxy and certificates of its host', (name) => {
    const { environment, volumes } = one(name);
    expect(environment).toMatchObject({
      HTTPS_PROXY: '${HTTPS_PROXY:-}',
      HTTP_PROXY: '${HTTP_PROXY:-}',
      NO_PROXY: '${NO_PROXY:-}',
      NODE_EXTRA_CA_CERTS: '${NODE_EXTRA_CA_CERTS:+/etc/bomtrail/extra-ca.pem}',
    });
    expect(volumes).toContain('${NODE_EXTRA_CA_CERTS:-/dev/null}:/etc/bomtrail/extra-ca.pem:ro');
  });

  test('takes only images of a version', () => {
    const loose = all.filter(([, { image }]) => !/:v?\d+\.\d+\.\d+(-[a-z]+)?$/.test(image));
    expect(loose.map(([name]) => name)).toEqual([]);
  });

  test('publishes the proxy, and for this machine alone what one looks at', () => {
    for (const [name, { ports = [] }] of all) {
      if (name === 'proxy') continue;
      expect([name, ports.filter((port) => !port.startsWith('127.0.0.1:'))]).toEqual([name, []]);
    }
    expect(one('proxy').ports).toHaveLength(2);
  });

  test('keeps databases and services that need no way out away from the outside and the proxy', () => {
    const { networks } = compose;
    expect([networks['inner']?.internal, networks['edge']?.internal]).toEqual([true, true]);
    for (const name of ['mongo', 'nats', 'ingest', 'catalog', 'reconciler']) {
      expect([name, one(name).networks]).toEqual([name, ['inner']]);
    }
    expect(one('proxy').networks).not.toContain('inner');
    expect(one('gateway').networks).not.toContain('outer');
  });

  test('starts each one when what it needs is healthy', () => {
    const needs = (name: string) => one(name).depends_on;
    const healthy = { condition: 'service_healthy' };
    for (const name of services)
      expect(needs(name)).toMatchObject({ mongo: healthy, nats: healthy });
    expect(needs('gateway')).toMatchObject({ ingest: healthy, catalog: healthy });
    expect(needs('proxy')).toMatchObject({ gateway: healthy });
  });

  test('runs the services with a root that cannot be written, and with no rights', () => {
    for (const name of services) {
      expect(one(name)).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  test('gives nothing a right that it does not need, nor memory without a limit', () => {
    const limited = { cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
    for (const [name, service] of all) {
      expect([name, service]).toEqual([name, expect.objectContaining(limited)]);
      expect([name, service.mem_limit]).toEqual([name, expect.stringMatching(/\d+[mg]\}?$/)]);
    }
  });

  test('leaves a service its memory beside what lies in its temporary folders', () => {
    const mebibytes = (text = ''): number => {
      const [, count = '0', unit] = /(\d+)([mg])/.exec(text) ?? [];
      return Number(count) * (unit === 'g' ? 1024 : 1);
    };
    for (const name of services) {
      const { mem_limit, tmpfs = [] } = one(name);
      const folders = tmpfs.map((each) => mebibytes(/size=(\w+)/.exec(each)?.[1]));
      const left = mebibytes(mem_limit) - folders.reduce((sum, size) => sum + size, 0);
      expect([name, left >= 1024]).toEqual([name, true]);
    }
  });

  test('ends a NATS that stores nothing', () => {
    const { healthcheck } = one('nats') as { healthcheck?: { test: string[] } };
    expect(healthcheck?.test.join(' ')).toMatch(/:8222\/healthz;.* nc -z .* kill -TERM 1/s);
  });

  test('mounts files that exist and volumes that it declares', () => {
    const sources = all.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    const files = sources.filter((source) => source.startsWith('./'));
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const named = sources.filter((source) => /^[a-z]/.test(source));
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  test('has Prometheus ask every service', () => {
    const { scrape_configs: jobs } = parse(read('deploy', 'observability', 'prometheus.yaml')) as {
      scrape_configs: { dns_sd_configs?: { names: string[] }[] }[];
    };
    const names = jobs.flatMap(({ dns_sd_configs: found = [] }) => found.flatMap((at) => at.names));
    expect(names.sort()).toEqual(services);
  });
});

describe('the image file', () => {
  test('says the version of the product', () => {
    expect(images).toContain(`\nARG BOMTRAIL_VERSION=${version}\n`);
  });

  test('has a target for every service, with its bundle and nothing else', () => {
    for (const service of services) {
      const [, target = ''] = images.split(`\nFROM service AS ${service}\n`);
      const copied = (target.split('\nFROM ')[0] ?? '').match(/^COPY .*$/gm);
      expect(copied).toEqual([`COPY --from=build /src/dist/images/${service}/ /app/`]);
    }
  });

  test('starts the bundle as a user who is not root, with a health check', () => {
    const [, base = ''] = images.split('\nFROM runtime AS service\n');
    expect(images).toContain('ENTRYPOINT ["/usr/local/bin/node"]');
    expect(images).toMatch(/^USER 1000:1000$/m);
    expect(base).toContain('CMD ["/usr/local/bin/node", "/app/health.js"]');
    expect(base).toContain('\nCMD ["/app/main.js"]\n');
  });
});
