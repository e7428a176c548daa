/** What is wrong with a value, without the place where it stands. */
export interface Fault {
  type: string;
  msg: string;
  ctx?: Record<string, unknown>;
}

/** `'a', 'b' or 'c'`, as problems name the values that they expect. */
export function oneOfThese(values: unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  return quoted.length < 2
    ? quoted.join('')
    : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
