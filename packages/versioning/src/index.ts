export { comparerOf, ecosystemsWithComparer } from './registry';
export type { Compare, Ordering } from './ordering';
