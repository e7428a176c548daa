import fc from 'fast-check';
import { createObservationFold } from './fold-observations';
import { toSnapshot } from './snapshot';
import { observation } from './testing';
import type { Observation } from './types';

/** Observations of one vulnerability: versions of a package, some unreadable, with one of three details. */
const observations = fc.array(
  fc.record({
    version: fc.constantFrom('1.0.0', '1.2.0', '1.10.0', '2.0.0', 'x', 'y', '01.2.0'),
    details: fc.constantFrom('one', 'two', 'unfixed'),
    is_direct: fc.boolean(),
    qualifier: fc.constantFrom('', '?a=1', '?a=2'),
  }),
  { minLength: 1, maxLength: 20 },
);

function observed({
  version,
  details,
  is_direct,
  qualifier,
}: {
  version: string;
  details: string;
  is_direct: boolean;
  qualifier: string;
}): Observation {
  const one = observation('left@1.0.0 GHSA-1');
  // What is fixed follows from the version and the advisories.
  const fixed_versions = details === 'unfixed' ? [] : [`${version} ${details}`];
  const named = { package_version: version, purl: `pkg:npm/left@${version}${qualifier}` };
  // Severity and whether there is a fix follow from the details.
  const severity = details === 'one' ? 'high' : 'critical';
  return { ...one, ...named, details, severity, is_direct, fixed_versions };
}

test('pages of any size, folded, show what all observations at once show', () => {
  fc.assert(
    fc.property(observations, fc.integer({ min: 1, max: 7 }), (drawn, perPage) => {
      const all = drawn.map(observed);
      const fold = createObservationFold();
      for (let at = 0; at < all.length; at += perPage) fold.add(all.slice(at, at + perPage));
      const folded = fold.end();
      expect(folded.length).toBeLessThanOrEqual(3);
      expect(toSnapshot(folded)).toEqual(toSnapshot(all));
      // What was folded once can be folded again.
      const again = createObservationFold();
      again.add(folded);
      expect(toSnapshot(again.end())).toEqual(toSnapshot(all));
    }),
  );
});
