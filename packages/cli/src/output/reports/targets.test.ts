import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTargets, removeEarlier } from './targets';

test('reports of an earlier run are removed; documents and folders stay', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-cli-'));
  try {
    const at = (name: string): string => path.join(folder, name);
    for (const name of ['old.xml', 'bom.json', 'other.json']) writeFileSync(at(name), name);
    mkdirSync(at('reports'));
    const targets = [`junit=${at('old.xml')}`, `cyclonedx=${at('bom.json')}`, `csv=${at('new')}`];
    removeEarlier(readTargets([...targets, `json=${at('reports')}`, 'table']), [at('./bom.json')]);
    const names = ['old.xml', 'bom.json', 'other.json', 'reports'];
    expect(names.filter((name) => existsSync(at(name)))).toEqual(names.slice(1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
