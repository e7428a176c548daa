/** What does not begin with the address of its menu entry. */
const others: readonly (readonly [prefix: string, entry: string])[] = [
  ['/decisions', '/findings'],
  ['/sboms', '/projects'],
  ['/vex', '/projects'],
  ['/imports', '/settings'],
];

/** The entry of the menu that a view belongs to, by its address: an SBOM to the projects. */
export function menuEntry(pathname: string): string {
  const [first = ''] = pathname.split('/').slice(1);
  const start = `/${first}`;
  return others.find(([prefix]) => prefix === start)?.[1] ?? start;
}
