/**
 * How databases may spell an id that somebody wrote in any case: as it is, all capitals (`CVE-…`,
 * `RUSTSEC-…`), all small, capitals up to the first `-` and small letters behind it (`GHSA-…`,
 * `BIT-…`), and SUSE's way. An id that is spelt in none of these ways is found as it is written.
 * Source: OSV schema, "id field".
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
