import fc from 'fast-check';
import { freeSlug, nameKeyOf, slugOf } from './slug';

describe('R1: the slug of a project', () => {
  test.each([
    ['Web Shop', 'web-shop'],
    ['Straße 7', 'strasse-7'],
    ['STRAẞE', 'strasse'],
    ['Crème Brûlée', 'creme-brulee'],
    ['Cre\u0300me', 'creme'],
    ['Ångström ﬁle', 'angstrom-file'],
    ['İstanbul', 'istanbul'],
    ['Ⅷ ²', 'viii-2'],
    ['--a__b..c--', 'a-b-c'],
    ['商店', 'project'],
    ['Магазин', 'project'],
    ['shop 商店 2', 'shop-2'],
    ['🚀', 'project'],
    ['!!!', 'project'],
    ['', 'project'],
  ])('of “%s” is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  test('has at most 80 characters and does not end in a hyphen where it is cut', () => {
    expect(slugOf('x'.repeat(255))).toBe('x'.repeat(80));
    expect(slugOf(`${'x'.repeat(79)} yz`)).toBe('x'.repeat(79));
    expect(slugOf(`!${'x'.repeat(80)}`)).toBe('x'.repeat(80));
    expect(slugOf(`${'x'.repeat(80)}!`)).toBe('x'.repeat(80));
  });

  test('is made of a-z and 0-9 with single hyphens between, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        expect(slugOf(name)).toMatch(/^(?=.{1,80}$)[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
    );
  });
});

describe('R2: a slug that is taken', () => {
  test('gets the first free number from 2 on', () => {
    expect(freeSlug('shop', new Set())).toBe('shop');
    expect(freeSlug('shop', new Set(['shop-2']))).toBe('shop');
    expect(freeSlug('shop', new Set(['shop']))).toBe('shop-2');
    expect(freeSlug('shop', new Set(['shop', 'shop-2', 'shop-4']))).toBe('shop-3');
  });

  test('stays within 80 characters with its number', () => {
    const long = 'x'.repeat(80);
    expect(freeSlug(long, new Set([long]))).toBe(`${'x'.repeat(78)}-2`);
    const hyphenAtTheCut = `${'x'.repeat(77)}-yz`;
    expect(freeSlug(hyphenAtTheCut, new Set([hyphenAtTheCut]))).toBe(`${'x'.repeat(77)}-2`);
    const taken = new Set([long, ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${'x'.repeat(78)}-${n}`)]);
    expect(freeSlug(long, taken)).toBe(`${'x'.repeat(77)}-10`);
  });
});

describe('R3: two names are one', () => {
  test.each([
    ['Shop', '  shop '],
    ['Café', 'Cafe\u0301'],
    ['STRASSE', 'straße'],
    ['STRAẞE', 'straße'],
    ['İzmir', 'i\u0307zmir'],
    ['ŉ', 'ʼN'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['Μαΐου', 'ΜΑΪ\u0301ΟΥ'],
    ['ǰ', 'J\u030c'],
  ])('“%s” and “%s”', (one, other) => {
    expect(nameKeyOf(one)).toBe(nameKeyOf(other));
  });

  test.each([
    ['Shop', 'Shop 2'],
    ['Café', 'Cafe'],
    ['a  b', 'a b'],
    ['Kırım', 'KIRIM'],
    ['İzmir', 'izmir'],
  ])('but not “%s” and “%s”', (one, other) => {
    expect(nameKeyOf(one)).not.toBe(nameKeyOf(other));
  });
});

test('R3: a name is found by its beginning in capitals, also where it ends in a sigma', () => {
  expect(nameKeyOf('Οδοσήμανση')).toContain(nameKeyOf('ΟΔΟΣ'));
});
