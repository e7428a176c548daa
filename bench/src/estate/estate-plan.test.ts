import { readSbom } from '@bomtrail/sbom-formats';
import { estateDocument, planEstate, rarePackage, widePackage } from './estate-plan';

test('an estate of 20,000 SBOMs has 50 holders of the one package and half of all services of the other', () => {
  const plan = planEstate(20_000);
  const services = plan.families.reduce((sum, family) => sum + family.services, 0);
  expect(services * plan.releases).toBe(20_000);
  expect(rarePackage(plan).holders).toBe(50);
  expect(widePackage(plan).holders).toBe(2000);
});

test('families and releases are component sets of their own, the same in each run', () => {
  const digests = [0, 1, 2].flatMap((family) =>
    [0, 1].map((release) => {
      const read = readSbom(estateDocument(family, release), { maxComponents: 1000 });
      if (!read.ok) throw new Error(read.detail);
      return read.sbom.digest;
    }),
  );
  expect(new Set(digests).size).toBe(6);
  expect(estateDocument(1, 1)).toEqual(estateDocument(1, 1));
});
