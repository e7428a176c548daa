import { documentBytes } from '../sboms/cyclonedx-document';
import { generatedDocument } from '../sboms/generated-document';

/** The modules about which there is an advisory, as many as a service has rows. */
export function vulnerableModules(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `example.com/deletes/module-${n}`);
}

/** A document with `rows` vulnerabilities; `version` makes its component set one of its own. */
export function deletesDocument(rows: number, version: number): Buffer {
  const base = generatedDocument(10);
  const modules = vulnerableModules(rows).map((name) => component(name, 'v1.0.0'));
  const own = component('example.com/deletes/own', `v1.${version}.0`);
  return documentBytes({ ...base, components: [...base.components, ...modules, own] });
}

function component(name: string, version: string) {
  const purl = `pkg:golang/${name}@${version}`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
}
