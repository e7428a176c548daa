/** What is wrong with a value, without the place where it stands. */
export interface Fault {
  type: string;
  msg: string;
  ctx?: Record<string, unknown>;
}
