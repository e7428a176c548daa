import fc from 'fast-check';
import { partPackages } from './part-packages';

test('parts contain each package once, and only a part with a single package exceeds a bound', () => {
  const counts = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.nat(30));
  fc.assert(
    fc.property(counts, (drawn) => {
      const all = new Map(Object.entries(drawn));
      const most = { packages: 5, characters: 20, count: 40 };
      const parts = partPackages(all, most);
      expect(parts.flat()).toEqual([...all.keys()].sort());
      for (const part of parts) {
        const count = part.reduce((sum, key) => sum + (all.get(key) ?? 0), 0);
        const isWithin = count <= most.count && part.join('').length <= most.characters;
        expect(part.length === 1 || (isWithin && part.length <= most.packages)).toBe(true);
      }
    }),
  );
});
