import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { parse } from 'yaml';

/** A place that names the version of the product. */
export interface Named {
  readonly location: string;
  readonly version: string;
}

interface Manifest {
  version: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** The version that is being released: that of package.json. */
export function releaseVersion(): string {
  return manifest('package.json').version;
}

/** Every place that names the version: packages, what they want of each other, chart, contract, images, README. */
export function namedVersions(): Named[] {
  const chart = yaml('deploy/helm/bomtrail/Chart.yaml') as { version: string; appVersion: string };
  const contract = yaml('packages/api-contract/openapi.yaml') as { info: { version: string } };
  const readme = /^Version (\S+)\. /m.exec(text('README.md'))?.[1] ?? 'none';
  const installed =
    /BOMTRAIL_VERSION:-(.+?)\}/.exec(text('templates/install/install.sh'))?.[1] ?? 'none';
  const baked =
    /^variable "VERSION" \{\n  default = "(.+)"$/m.exec(text('docker-bake.hcl'))?.[1] ?? 'none';
  return [
    ...manifests().flatMap(inManifest),
    { location: 'Chart.yaml, version', version: chart.version },
    { location: 'Chart.yaml, appVersion', version: chart.appVersion },
    { location: 'openapi.yaml, info.version', version: contract.info.version },
    ...images(),
    { location: 'README.md', version: readme },
    { location: 'install.sh', version: installed },
    { location: 'docker-bake.hcl', version: baked },
  ];
}

/** Those places that name another version than the one that is being released. */
export function otherVersions(named: readonly Named[], version: string): string[] {
  return named
    .filter((one) => one.version !== version)
    .map((one) => `${one.location}: ${one.version} instead of ${version}`);
}

function inManifest(file: string): Named[] {
  const { version, dependencies = {}, devDependencies = {} } = manifest(file);
  const ours = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
    name.startsWith('@bomtrail/'),
  );
  return [
    { location: file, version },
    ...ours.map(([name, wanted]) => ({ location: `${file}, ${name}`, version: wanted })),
  ];
}

/** The images of ours in the compose file. */
function images(): Named[] {
  const { services } = yaml('docker-compose.yml') as {
    services: Record<string, { image?: string }>;
  };
  return Object.entries(services).flatMap(([name, { image = '' }]) => {
    const version = /^bomtrail-[a-z-]+:(.+)$/.exec(image)?.[1];
    return version === undefined ? [] : [{ location: `docker-compose.yml, ${name}`, version }];
  });
}

/** The manifests of the repository: the root's, and those of the workspaces that it names. */
function manifests(): string[] {
  const folders = (manifest('package.json').workspaces ?? []).flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(path.join(repositoryRoot(), parent)).map((name) => `${parent}/${name}`);
  });
  const files = folders.map((folder) => `${folder}/package.json`);
  return ['package.json', ...files.filter((file) => existsSync(path.join(repositoryRoot(), file)))];
}

function manifest(file: string): Manifest {
  return JSON.parse(text(file)) as Manifest;
}

function yaml(file: string): unknown {
  return parse(text(file));
}

function text(file: string): string {
  return readFileSync(path.join(repositoryRoot(), file), 'utf8');
}
