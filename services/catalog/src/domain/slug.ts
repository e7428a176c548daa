const maxSlugLength = 80;

/**
 * R1 The readable identifier made from a project's name (docs/rules.md N5): NFKD,
 * marks dropped, `ß` → `ss`, lower case, every run of anything but a-z and 0-9 → `-`, trimmed, at
 * most 80 characters, `project` if nothing is left.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength + 1)
    .replace(/^-+/, '')
    .slice(0, maxSlugLength)
    .replace(/-+$/, '');
  return slug || 'project';
}

/** R2 The first of `base`, `base-2`, `base-3`, … that is not taken, within the 80 characters. */
export function freeSlug(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const slug = base.slice(0, maxSlugLength - suffix.length).replace(/-+$/, '') + suffix;
    if (!taken.has(slug)) return slug;
  }
}

/**
 * R3 What makes two project names the same: compared trimmed, NFC, case-folded. Folding may take a
 * letter from its marks, and a key is also looked for within others: so the key is NFC again, and its
 * sigmas are one, wherever they stand.
 */
export function nameKeyOf(name: string): string {
  const key = name.trim().normalize('NFC').split(dotlessI).map(folded).join(dotlessI);
  return key.replaceAll('ς', 'σ').normalize('NFC');
}

/** Case folding leaves it alone (Unicode, CaseFolding.txt); its capital is `I`, that of `i`. */
const dotlessI = 'ı';

/** Lower case first: `ẞ` has no other way to `SS`, where `ß` goes. */
function folded(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase();
}
