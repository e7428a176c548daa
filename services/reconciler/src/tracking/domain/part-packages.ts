/**
 * Divides packages into parts with similar numbers of findings and vulnerabilities. The order depends on the
 * packages alone.
 *
 * @param counts findings and vulnerabilities by package
 * @param most packages, characters of package keys, and count of one part; a single package may exceed
 *   `count`
 */
export function partPackages(
  counts: ReadonlyMap<string, number>,
  most: { packages: number; characters: number; count: number },
): string[][] {
  const { packages, characters, count: mostCount } = most;
  const parts: string[][] = [];
  let part: string[] = [];
  let count = 0;
  let length = 0;
  for (const key of [...counts.keys()].sort()) {
    const more = counts.get(key) ?? 0;
    const isFull =
      count + more > mostCount || part.length >= packages || length + key.length > characters;
    if (part.length > 0 && isFull) {
      parts.push(part);
      [part, count, length] = [[], 0, 0];
    }
    part.push(key);
    count += more;
    length += key.length;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
