import { decisionKinds } from '@bomtrail/messages';
import fc from 'fast-check';
import {
  createServiceStateHarness,
  type Step,
} from '../../testing/service-state-model/service-state-harness';
import { documents } from '../../testing/service-state-model/documents';
import { advisoryIds, type AdvisoryChange } from '../../testing/service-state-model/model-scanner';

/** More of them: `BOMTRAIL_TEST_LEDGER_SEQUENCES=20000 npx jest service-state-model --selectProjects unit`, by `BOMTRAIL_TEST_SEED` the same ones. */
const { BOMTRAIL_TEST_LEDGER_SEQUENCES: requested, BOMTRAIL_TEST_SEED: seedAsked } = process.env;
const sequences = Number(requested ?? 800);
const seed = seedAsked ? Number(seedAsked) : requested ? Date.now() % 2 ** 31 : 20_260_101;

const service = fc.nat(2);
const pick = fc.nat(1000);
const document = fc.nat(documents.length - 1);
const by_package = fc.boolean();
const versions = fc.subarray([1, 9, 10]);

/** Its advisory's own name among the aliases does no harm. */
const change: fc.Arbitrary<AdvisoryChange> = fc
  .tuple(
    fc.nat(4),
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ aliases: fc.subarray(advisoryIds, { maxLength: 2 }) }) },
      { weight: 2, arbitrary: fc.record({ affects: fc.record({ p: versions, q: versions }) }) },
      { weight: 2, arbitrary: fc.record({ withdrawn: fc.boolean() }) },
      fc.record({ score: fc.constantFrom(null, 3.1, 7.5, 9.8) }),
    ),
  )
  .map(([advisory, what]) => ({ advisory, ...what }));

const does = <Does extends Step['does']>(name: Does) => ({ does: fc.constant(name) });
const advisory = (at_once: boolean): fc.Arbitrary<Step> =>
  fc.record({ ...does('advisory'), change, at_once: fc.constant(at_once), by_package });

const usual: fc.WeightedArbitrary<Step>[] = [
  { weight: 8, arbitrary: fc.record({ ...does('upload and scan'), service, document }) },
  { weight: 4, arbitrary: fc.record({ ...does('upload'), service, document }) },
  { weight: 4, arbitrary: fc.record({ ...does('end scan'), pick }) },
  { weight: 1, arbitrary: fc.record(does('end all scans')) },
  { weight: 2, arbitrary: fc.record({ ...does('deliver again'), pick }) },
  { weight: 3, arbitrary: fc.record({ ...does('delete'), pick, more: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ ...does('delete service'), service }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...does('accept'),
      pick,
      scope: fc.constantFrom('project', 'own service', 'next service'),
      hours: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
      decision: fc.constantFrom(...decisionKinds),
      manual: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...does('un-accept'), pick }) },
  { weight: 2, arbitrary: fc.record({ ...does('wait'), hours: fc.nat(3) }) },
];
/** Alias groups stay, also through withdrawals: what an expired SBOM contains stays with the id. */
const expiring = fc.oneof(
  ...usual,
  { weight: 8, arbitrary: fc.record({ ...does('expire'), pick }) },
  {
    weight: 8,
    arbitrary: advisory(true).map((step): Step => {
      if (step.does !== 'advisory') return step;
      const { aliases: _aliases, withdrawn: _withdrawn, ...kept } = step.change;
      return { ...step, change: kept };
    }),
  },
);
const prompt = fc.oneof(...usual, { weight: 10, arbitrary: advisory(true) });
const late = fc.oneof(
  ...usual,
  { weight: 4, arbitrary: advisory(false) },
  { weight: 5, arbitrary: fc.record({ ...does('judge'), document, by_package }) },
);

/** The first thing that is wrong, and after which step. */
function play(steps: readonly Step[]): string | null {
  const harness = createServiceStateHarness();
  for (const [index, step] of steps.entries()) {
    const wrong = harness.take(step);
    if (wrong.length > 0)
      return `after step ${index + 1}, ${JSON.stringify(step)}:\n${wrong.join('\n')}`;
  }
  const wrong = harness.end();
  return wrong.length > 0 ? `at the end:\n${wrong.join('\n')}` : null;
}

function differences(step: fc.Arbitrary<Step>): void {
  const steps = fc.array(step, { minLength: 1, maxLength: 30, size: 'max' });
  const property = fc.property(steps, (taken) => {
    const wrong = play(taken);
    if (wrong !== null) throw new Error(wrong);
  });
  // What fails is reported with its seed and its shortest sequence.
  fc.assert(property, { numRuns: Math.ceil(sequences / 2), seed });
}

describe(`the rows of three services in ${sequences} random sequences, against a naive model`, () => {
  test('are the same after every step if each advisory change is delivered at once', () => {
    differences(prompt);
  });

  test('are the same after every step if SBOMs expire, whose findings are not read again', () => {
    differences(expiring);
  });

  test('are the same once a service has received every scan, with changes delivered late, document by document', () => {
    differences(late);
  });
});
