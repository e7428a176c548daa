const maxSlugLength = 80;

/**
 * R1 Slug of a project name (docs/rules.md N5): NFKD, marks removed, `ß` → `ss`, lower case, every
 * run of anything but a-z and 0-9 → `-`, trimmed, at most 80 characters, `project` if nothing is
 * left.
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
 * R3 Key of a project name: names with equal keys are the same. Trimmed, NFC, case-folded. Folding
 * may separate a letter from its marks, and keys are also searched for substrings, so the result is
 * NFC again and all sigmas are unified.
 */
export function nameKeyOf(name: string): string {
  const key = name.trim().normalize('NFC').split(dotlessI).map(folded).join(dotlessI);
  return key.replaceAll('ς', 'σ').normalize('NFC');
}

/**
 * Unchanged by case folding (Unicode, CaseFolding.txt), although its capital is `I`, like that of
 * `i`.
 */
const dotlessI = 'ı';

/** Lower case first, so that `ẞ` becomes `SS` like `ß`. */
function folded(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase();
}
