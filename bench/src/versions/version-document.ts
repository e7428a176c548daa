import { documentBytes } from '../sboms/cyclonedx-document';
import { generatedDocument } from '../sboms/generated-document';

/** The two services that are compared. */
export type ServiceName = 'short' | 'long';

const baseSize = 40;
/** Modules of every version that have an advisory: rows that stay open. */
const steadyModules = 20;
/** Modules with an advisory of which each version holds one: rows that are fixed and come back. */
const passingModules = 40;
/** So many versions hold the same passing module. */
const versionsPerPassing = 50;

/** The modules about which there is an advisory from the beginning. */
export function vulnerableModules(): string[] {
  return [
    ...Array.from({ length: steadyModules }, (_, n) => `example.com/versions/steady-${n}`),
    ...Array.from({ length: passingModules }, (_, n) => passingModule(n)),
  ];
}

/** A module that every version of the service holds, and no version of the other one. */
export function ownModule(service: ServiceName): string {
  return `example.com/versions/only-${service}`;
}

/** Which version of a service a document is. */
export interface Version {
  /** Makes the component set one of its own. */
  n: number;
  /** It holds the passing module of this version; with `change` the next one, so that two rows change. */
  passingOf: number;
  change?: boolean | undefined;
}

/** A version of a service: a component set of its own, and mostly the same findings as the version before. */
export function versionDocument(service: ServiceName, version: Version): Buffer {
  const base = generatedDocument(baseSize);
  const passing = Math.floor(version.passingOf / versionsPerPassing) + (version.change ? 1 : 0);
  const modules = [
    ...vulnerableModules().slice(0, steadyModules),
    passingModule(passing % passingModules),
    ownModule(service),
  ].map((name) => component(name, 'v1.0.0'));
  const moving = component('example.com/versions/moving', `v1.${version.n}.0`);
  return documentBytes({ ...base, components: [...base.components, ...modules, moving] });
}

function passingModule(n: number): string {
  return `example.com/versions/passing-${n}`;
}

function component(name: string, version: string) {
  const purl = `pkg:golang/${name}@${version}`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
}
