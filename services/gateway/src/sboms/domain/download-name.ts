const maxPartLength = 80;

/**
 * A file name for a document, safe in headers and on every file system for any service name and
 * version. E.g. `Checkout-1.4.0.cdx.json`.
 */
export function downloadName(sbom: {
  id: string;
  format: string;
  version: string | null;
  service_name: string | null;
}): string {
  const parts = [sbom.service_name ?? 'sbom', sbom.version ?? sbom.id].map(safePart);
  const name = parts.filter((part) => part !== '').join('-') || `sbom-${sbom.id}`;
  return `${name}.${sbom.format === 'spdx' ? 'spdx' : 'cdx'}.json`;
}

function safePart(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, maxPartLength);
}
