import fc from 'fast-check';
import { diffComponents, type Component, type ComponentsDiff } from './diff-components';

const npm = (name: string, major: number): Component => {
  const version = `${major}.0.0`;
  return { name, version, type: 'library', purl: `pkg:npm/${name}@${version}` };
};

/** The words of the contract, package by package and with no thought of time: every package is looked for in the whole sets. */
function naiveDiff(from: readonly Component[], to: readonly Component[]): ComponentsDiff {
  const diff: ComponentsDiff = { added: [], removed: [], changed: [] };
  const versions = (set: readonly Component[], name: string): number[] =>
    [
      ...new Set(set.filter((one) => one.name === name).map((one) => parseInt(one.version, 10))),
    ].sort((a, b) => a - b);
  for (const name of [...new Set([...from, ...to].map((one) => one.name))].sort()) {
    const [before, after] = [versions(from, name), versions(to, name)];
    const gone = before.filter((one) => !after.includes(one));
    const come = after.filter((one) => !before.includes(one));
    for (let n = 0; n < Math.max(gone.length, come.length); n++) {
      const [old, fresh] = [gone[n], come[n]];
      if (old === undefined) diff.added.push({ name, version: `${fresh}.0.0` });
      else if (fresh === undefined) diff.removed.push({ name, version: `${old}.0.0` });
      else {
        diff.changed.push({ name, from_version: `${old}.0.0`, to_version: `${fresh}.0.0` });
      }
    }
  }
  return diff;
}

describe('the diff of two component sets is what the words of the contract give', () => {
  test('for any two small sets', () => {
    const component = fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 12 }))
      .map(([name, major]) => npm(name, major));
    const side = fc.array(component, { maxLength: 25 });
    fc.assert(
      fc.property(side, side, (from, to) => {
        expect(diffComponents(from, to)).toEqual(naiveDiff(from, to));
      }),
      { numRuns: 300 },
    );
  });

  test('for two sets of 20,000 components, also where one package stands in thousands of versions', () => {
    const block = (offset: number): Component[] =>
      Array.from({ length: 14_000 }, (_, n) => npm(`p${String(n + offset).padStart(6, '0')}`, 1));
    const wide = (first: number): Component[] =>
      Array.from({ length: 6_000 }, (_, n) => npm('wide', first + n));
    const from = [...block(0), ...wide(0)];
    const to = [...block(4_000), ...wide(2_000)];
    const diff = diffComponents(from, to);
    expect(diff.added).toHaveLength(4_000);
    expect(diff.removed).toHaveLength(4_000);
    expect(diff.changed).toHaveLength(2_000);
    expect(diff.changed[0]).toEqual({
      name: 'wide',
      from_version: '0.0.0',
      to_version: '6000.0.0',
    });
    expect(diff.changed.at(-1)).toEqual({
      name: 'wide',
      from_version: '1999.0.0',
      to_version: '7999.0.0',
    });
  });
});
