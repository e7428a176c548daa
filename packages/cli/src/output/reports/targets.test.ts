import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareFiles, readTargets } from './targets';

test('reports of an earlier run are removed, documents stay; folders are made, and a file that cannot be is refused', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-cli-'));
  try {
    const at = (name: string): string => path.join(folder, name);
    for (const name of ['old.xml', 'bom.json', 'other.json']) writeFileSync(at(name), name);
    mkdirSync(at('reports'));
    const documents = [at('./bom.json')];
    const targets = [`junit=${at('old.xml')}`, `csv=${at('new')}`, `json=${at('a/b/c')}`];
    prepareFiles(readTargets([...targets, 'table']), documents);
    expect(() => prepareFiles(readTargets([`cyclonedx=${at('bom.json')}`]), documents)).toThrow(
      'is a document of this call',
    );
    expect(existsSync(at('a/b'))).toBe(true);
    for (const file of ['reports', 'bom.json/d'])
      expect(() => prepareFiles(readTargets([`json=${at(file)}`]))).toThrow(
        /^The output cannot be written: /,
      );
    const names = ['old.xml', 'bom.json', 'other.json', 'reports'];
    expect(names.filter((name) => existsSync(at(name)))).toEqual(names.slice(1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a report does not replace another one', () => {
  expect(() => readTargets(['json=out/a', 'csv=./out/a'])).toThrow('two reports cannot both be');
});
