/** An OpenVEX document about a product that no SBOM has, unless one is named. */
export function vexDocument(
  id: string,
  version = 1,
  { vulnerability = 'CVE-2020-8203', product = 'pkg:npm/nothing-of-this-name' } = {},
): string {
  return JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `https://example.com/${id}`,
    author: 'Example',
    timestamp: '2026-01-01T00:00:00Z',
    version,
    statements: [
      {
        vulnerability: { name: vulnerability },
        products: [{ '@id': product }],
        status: 'fixed',
      },
    ],
  });
}
