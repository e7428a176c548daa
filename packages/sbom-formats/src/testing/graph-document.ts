export const purlOf = (name: string): string => `pkg:npm/${name}@1.0.0`;

/**
 * A CycloneDX document of npm packages with this graph.
 *
 * @param edges `a>b`: a depends on b; `root` is the document's root
 */
export function graphDocument(edges: readonly string[]): Buffer {
  const pairs = edges.map((edge) => edge.split('>') as [string, string]);
  const names = [...new Set(pairs.flat())].filter((name) => name !== 'root');
  return Buffer.from(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { type: 'application', name: 'root', 'bom-ref': 'root' } },
      components: names.map((name) => ({
        type: 'library',
        name,
        version: '1.0.0',
        purl: purlOf(name),
        'bom-ref': name,
      })),
      dependencies: [...new Set(pairs.map(([from]) => from))].map((ref) => ({
        ref,
        dependsOn: pairs.filter(([from]) => from === ref).map(([, to]) => to),
      })),
    }),
  );
}
