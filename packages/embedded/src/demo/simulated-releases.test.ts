import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulatedReleases } from './simulated-releases';

const example = (name: string) =>
  readFileSync(join(process.cwd(), 'examples', 'sboms', name), 'utf8');
const shop = {
  serviceName: 'shop',
  from: example('web-shop-1.0.0.cdx.json'),
  to: example('web-shop-1.1.0.cdx.json'),
  firstDaysAgo: 300,
  lastDaysAgo: 10,
};

const versionsIn = (document: Buffer) => {
  const { components } = JSON.parse(document.toString()) as {
    components: { name: string; version: string }[];
  };
  return new Map(components.map(({ name, version }) => [name, version]));
};

test('releases are evenly spread, oldest first, and named one after the other', () => {
  const releases = simulatedReleases([{ ...shop, releases: 3 }]);
  expect(releases.map(({ version, daysAgo }) => [version, daysAgo])).toEqual([
    ['1.0.0', 300],
    ['1.1.0', 155],
    ['1.2.0', 10],
  ]);
});

test('packages are added and upgraded on the way, so that findings are opened and fixed', () => {
  const contents = simulatedReleases([{ ...shop, releases: 4 }]).map(({ document }) =>
    versionsIn(document),
  );
  const [first, , , last] = contents;
  expect(first?.get('axios')).toBe('0.21.0');
  expect(last?.get('axios')).toBe('1.7.4');
  expect(first?.has('ws')).toBe(false);
  expect(last?.has('ws')).toBe(true);
});
