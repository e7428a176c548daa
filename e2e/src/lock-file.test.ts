import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Locked {
  link?: boolean;
  integrity?: string;
}

test('every package that is fetched is held by its hash: a lock file made from a half-installed tree loses them', () => {
  const file = path.join(__dirname, '..', '..', 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const fetched = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  expect(fetched.length).toBeGreaterThan(100);
  expect(fetched.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
});
