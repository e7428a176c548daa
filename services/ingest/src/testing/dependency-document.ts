export const purlOf = (name: string) => `pkg:npm/${name}@1.0.0`;

/** A CycloneDX document of npm packages with this graph; its root is `app`. */
export function documentOf(graph: Record<string, string[]>): Buffer {
  const names = [...new Set(Object.values(graph).flat())];
  return Buffer.from(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { type: 'application', name: 'app', 'bom-ref': 'app' } },
      components: names.map((name) => ({
        type: 'library',
        name,
        version: '1.0.0',
        purl: purlOf(name),
        'bom-ref': name,
      })),
      dependencies: Object.entries(graph).map(([ref, dependsOn]) => ({ ref, dependsOn })),
    }),
  );
}
