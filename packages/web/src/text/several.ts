/** `finding` for one, `findings` for any other number. */
export function several(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
