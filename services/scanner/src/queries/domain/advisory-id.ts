/**
 * Returns the spellings that databases use for an id typed in any case: as typed, upper case
 * (`CVE-…`, `RUSTSEC-…`), lower case, upper-case prefix with lower-case rest (`GHSA-…`, `BIT-…`),
 * and `openSUSE-…`. Ids with any other spelling match only as typed. Source: OSV schema, "id
 * field".
 */
export function spellingsOf(id: string): string[] {
  const text = id.trim();
  const dash = text.indexOf('-');
  const [prefix, rest] = dash < 0 ? [text, ''] : [text.slice(0, dash), text.slice(dash)];
  const suse = /^opensuse-/i.test(text) ? `openSUSE${rest.toUpperCase()}` : text;
  const spellings = [
    ...[text, text.toUpperCase(), text.toLowerCase(), suse],
    prefix.toUpperCase() + rest.toLowerCase(),
    prefix.toUpperCase() + rest,
  ];
  return [...new Set(spellings)];
}
