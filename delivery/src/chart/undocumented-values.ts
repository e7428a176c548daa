/**
 * Returns the chart's values that have no comment directly above them: `helm show values` is their only documentation.
 * Keys below a commented key may do without, unless one beside them has a comment.
 *
 * @param source values.yaml as text, two spaces per level
 * @param values the same, parsed
 */
export function undocumentedValues(source: string, values: Record<string, unknown>): string[] {
  const commented = commentedKeys(source);
  const bare: string[] = [];
  const visit = (key: string, value: unknown): void => {
    if (commented.some((other) => other.startsWith(`${key}.`)))
      for (const [name, child] of Object.entries(value as object)) visit(`${key}.${name}`, child);
    else if (!commented.includes(key)) bare.push(key);
  };
  for (const [name, value] of Object.entries(values)) visit(name, value);
  return bare;
}

/** Returns the keys of a YAML file with a comment in the line before: `gateway.env`. */
function commentedKeys(source: string): string[] {
  const found: string[] = [];
  const path: string[] = [];
  let commented = false;
  for (const line of source.split('\n')) {
    const [, indent = '', name] = /^( *)([A-Za-z][\w-]*):/.exec(line) ?? [];
    if (name !== undefined) {
      path.length = indent.length / 2;
      path.push(name);
      if (commented) found.push(path.join('.'));
    }
    commented = /^\s*# /.test(line);
  }
  return found;
}
