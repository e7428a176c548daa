import type { StatementMatch } from '../matching/match-statements';

/** The serial number of `exampleSbom`. */
export const exampleSerial = '3e671687-395b-41f5-a30f-a58921a69b79';

/** A CycloneDX SBOM of `app`, which uses `module` and two versions of `lib`; `module` uses the newer one. */
export function exampleSbom(): Buffer {
  const component = (name: string, version: string): object => ({
    type: 'library',
    name,
    version,
    'bom-ref': `${name}@${version}`,
    purl: `pkg:npm/${name}@${version}`,
  });
  return Buffer.from(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      serialNumber: `urn:uuid:${exampleSerial}`,
      version: 1,
      metadata: { component: component('app', '1.0.0') },
      components: [
        component('module', '1.0.0'),
        component('lib', '1.0.0'),
        component('lib', '2.5.0'),
      ],
      dependencies: [
        { ref: 'app@1.0.0', dependsOn: ['module@1.0.0', 'lib@1.0.0'] },
        { ref: 'module@1.0.0', dependsOn: ['lib@2.5.0'] },
      ],
    }),
  );
}

/** A match in words: `everything`, the package versions covered, or the reason. */
export function inWords(match: StatementMatch | undefined): string {
  if (!match) return 'no statement';
  if (!match.fits) return match.reason;
  if (match.covers === 'everything') return 'everything';
  return match.covers
    .map(({ identity, version }) => `${identity.replace('pkg:npm/', '')}@${version}`)
    .sort()
    .join(' ');
}
