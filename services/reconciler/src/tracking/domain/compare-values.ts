/** An order of plain values. */
export function compareValues<Value extends string | number | Date>(a: Value, b: Value): number {
  return a < b ? -1 : Number(a > b);
}
