import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { findKeda, findPrograms, kedaNames, programNames } from './programs';

test('programs of the folder come before those on PATH; all that are missing are named', async () => {
  await withTemporaryFolder('programs', async (folder) => {
    const file = (...names: string[]): string => path.join(folder, ...names);
    for (const place of ['given', 'onPath']) {
      mkdirSync(file(place));
      for (const name of [...programNames, ...kedaNames]) {
        writeFileSync(file(place, name), '');
        chmodSync(file(place, name), name === 'kwok' && place === 'given' ? 0o644 : 0o755);
      }
    }
    const before = process.env.PATH;
    process.env.PATH = file('onPath');
    try {
      const found = findPrograms(file('given'));
      expect(found.etcd).toBe(file('given', 'etcd'));
      expect(found.kwok).toBe(file('onPath', 'kwok'));
      expect(findKeda(file('given'))?.keda).toBe(file('given', 'keda'));
      chmodSync(file('onPath', 'keda-adapter'), 0o644);
      expect(findKeda(null)).toBeNull();
      chmodSync(file('onPath', 'kwok'), 0o644);
      chmodSync(file('onPath', 'helm'), 0o644);
      expect(() => findPrograms(null)).toThrow('Programs are missing: kwok, helm. ');
    } finally {
      process.env.PATH = before;
    }
  });
});
