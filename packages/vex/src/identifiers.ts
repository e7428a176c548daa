import { parsePurl } from '@bomtrail/purl';
import type { Identifier } from './vex-document';

/** CycloneDX, "BOM-Link": `urn:cdx:serialNumber/version#bom-ref`. */
const BOM_LINK = /^urn:cdx:([0-9a-f-]{36})\/(\d{1,9})(?:#(.*))?$/is;
const SERIAL_NUMBER = /^urn:uuid:([0-9a-f-]{36})$/i;

/** What a URI or free text identifies. */
export function identifierOf(text: string): Identifier {
  const value = text.trim();
  if (/^pkg:/i.test(value)) return { kind: 'purl', value };
  const link = BOM_LINK.exec(value);
  if (link) {
    const [, serial = '', version = '0', fragment = ''] = link;
    const ref = fragment === '' ? null : decoded(fragment);
    return { kind: 'bom', serial: serial.toLowerCase(), version: Number(version), ref };
  }
  const serial = SERIAL_NUMBER.exec(value)?.[1];
  if (serial !== undefined)
    return { kind: 'bom', serial: serial.toLowerCase(), version: null, ref: null };
  if (/^cpe:/i.test(value)) return { kind: 'cpe', value };
  return { kind: 'name', value };
}

/** The UUID of a serial number (`urn:uuid:…`); null for anything else. */
export function serialOf(text: string): string | null {
  return SERIAL_NUMBER.exec(text.trim())?.[1]?.toLowerCase() ?? null;
}

/** Whether a purl states a version itself. */
export function statesVersion(purl: string): boolean {
  return (parsePurl(purl)?.version ?? null) !== null;
}

/**
 * Identifiers limited to the versions that are stated beside them. A purl with a version keeps that.
 *
 * @param versions null: none are stated
 */
export function limitedTo(
  identifiers: readonly Identifier[],
  versions: readonly string[] | null,
): Identifier[] {
  if (versions === null) return [...identifiers];
  return identifiers.map((one) =>
    isMatched(one) && !one.versions && !(one.kind === 'purl' && statesVersion(one.value))
      ? { ...one, versions: [...versions] }
      : one,
  );
}

/** The same identifiers, none of which names a package any more. */
export function namingNothing(identifiers: readonly Identifier[]): Identifier[] {
  return identifiers.map((one) => (isMatched(one) ? { ...one, versions: [] } : one));
}

/** Whether an identifier is of a kind that is ever matched. */
function isMatched(one: Identifier): one is Identifier & { kind: 'purl' | 'bom' } {
  return one.kind === 'purl' || one.kind === 'bom';
}

/** The BOM-Link specification asks for percent-encoding; many tools write the reference as it is. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
