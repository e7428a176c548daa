import { readSbom } from '@bomtrail/sbom-formats';
import { datasetDocument, planDataset, rarePackage, widePackage } from './dataset-plan';

test('a dataset of 20,000 SBOMs has 50 services with the one package and half of all services with the other', () => {
  const plan = planDataset(20_000);
  const services = plan.families.reduce((sum, family) => sum + family.services, 0);
  expect(services * plan.releases).toBe(20_000);
  expect(rarePackage(plan).serviceCount).toBe(50);
  expect(widePackage(plan).serviceCount).toBe(2000);
});

test('families and releases are component sets of their own, the same in each run', () => {
  const digests = [0, 1, 2].flatMap((family) =>
    [0, 1].map((release) => {
      const read = readSbom(datasetDocument(family, release), { maxComponents: 1000 });
      if (!read.ok) throw new Error(read.detail);
      return read.sbom.digest;
    }),
  );
  expect(new Set(digests).size).toBe(6);
  expect(datasetDocument(1, 1)).toEqual(datasetDocument(1, 1));
});
