import { createSbomReader, type Dependency } from '@bomtrail/sbom-formats';
import { generatedCorpus, loadCorpus } from './corpus';
import { mutantOf } from './mutant';

/** Named in a failure; a failing mutant is made again by its seed and number. */
const seed = 20_260_101;
const count = 300;
/** Of documents up to this size: a reader that is linear needs some ten milliseconds. */
const maxBytes = 300_000;
const maxComponents = 50_000;
/** Far above what any of them takes on a slow and busy machine, far below what is not linear. */
const patienceMs = 5_000;

const reader = createSbomReader();
const codes = [
  'malformed_json',
  'unsupported_sbom_format',
  'unsupported_sbom_version',
  'too_many_components',
  'invalid_sbom',
  'vex_document',
];

beforeAll(() => reader.prepare(), 30_000);

function texts({ name, version, purl, type, license, source_package }: Dependency): unknown[] {
  return [name, version, purl ?? '', type ?? '', license ?? '', source_package ?? ''];
}

test.each([
  ['real documents, where there are any', loadCorpus(maxBytes)],
  ['generated documents', generatedCorpus()],
])(
  'mutants of %s are read in time, or refused with a reason',
  (_what, corpus) => {
    const accepted: boolean[] = [];
    for (let number = 0; number < count; number += 1) {
      const { bytes, base, operators } = mutantOf(corpus, { seed, number });
      const mutant = `seed ${seed}, number ${number}: ${base}, ${operators.join(', ')}`;
      const begin = performance.now();
      const result = reader.read(bytes, { maxComponents });
      const withTimeout = performance.now() - begin < patienceMs;
      expect({ mutant, withTimeout }).toEqual({ mutant, withTimeout: true });
      accepted.push(result.ok);
      if (!result.ok) {
        expect({ mutant, code: codes.includes(result.code) }).toEqual({ mutant, code: true });
        // It goes into an answer and into a log line.
        expect(result.detail.length).toBeLessThan(2_000);
        continue;
      }
      const { dependencies, digest } = result.sbom;
      const areWellFormed = dependencies
        .flatMap(texts)
        .every((text) => typeof text === 'string' && text.isWellFormed());
      expect({ mutant, areWellFormed }).toEqual({ mutant, areWellFormed: true });
      expect(dependencies.length).toBeLessThanOrEqual(maxComponents);
      const again = reader.read(bytes, { maxComponents });
      expect(again).toMatchObject({ ok: true, sbom: { digest } });
    }
    // Mutants that are all refused, or all taken, would show nothing.
    expect(accepted.filter(Boolean).length).toBeGreaterThan(count / 10);
    expect(accepted.filter((isOk) => !isOk).length).toBeGreaterThan(count / 10);
  },
  120_000,
);

test('the same seed and number give the same mutant', () => {
  const [corpus, again] = [generatedCorpus(), generatedCorpus()];
  for (let number = 0; number < 50; number += 1) {
    const [one, other] = [mutantOf(corpus, { seed, number }), mutantOf(again, { seed, number })];
    expect(other.operators).toEqual(one.operators);
    expect(other.bytes.equals(one.bytes)).toBe(true);
  }
});
