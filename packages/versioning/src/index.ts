export { comparerOf, ecosystemsWithComparer, isPlacedByConvention } from './registry';
export type { Compare, Ordering } from './ordering';
