import type { Document } from 'mongodb';

/** An aggregation of a collection. */
export interface Aggregation {
  collection: string;
  pipeline: readonly Document[];
}
