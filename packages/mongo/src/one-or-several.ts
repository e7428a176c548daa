/** The condition on a field that has one value, or one of several. */
export function oneOrSeveral(values: string | readonly string[]): string | { $in: string[] } {
  return typeof values === 'string' ? values : { $in: [...values] };
}
