// Node 20 has String.prototype.toWellFormed, which ES2023 did not yet.
/// <reference lib="es2024.string" />
import type { Dependency, SbomProblem } from './normalised-sbom';

/**
 * UTF-8 bytes of name, version, purl and source of one dependency. A MongoDB document (16 MiB)
 * contains them up to three times.
 */
export const MAX_IDENTITY_BYTES = 4 * 1024 * 1024;

const maxBytesPerCodeUnit = 3;
const maxShownCharacters = 40;

/** Rejects a document with a dependency whose identity is too large to be stored. */
export function oversizedIdentity(entries: readonly Dependency[]): SbomProblem | null {
  const found = entries.find((entry) => isLarge(entry));
  if (found === undefined) return null;
  const shown = JSON.stringify(`${found.name.slice(0, maxShownCharacters)}…`);
  const mebibytes = MAX_IDENTITY_BYTES / 1024 ** 2;
  const detail = `Name, version and purl of the component ${shown} have more than ${mebibytes} MiB together.`;
  return { code: 'invalid_sbom', detail: detail.toWellFormed() };
}

/** The length is checked first; bytes are rarely counted. */
function isLarge({ name, version, purl, source_package: source }: Dependency): boolean {
  const texts = [name, version, purl ?? '', source ?? ''];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length * maxBytesPerCodeUnit <= MAX_IDENTITY_BYTES) return false;
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) > MAX_IDENTITY_BYTES;
}
