import type { FindingsSearch } from './findings-search';

/** What each part of the filter bar gets; a part passes on only what it changes. */
export interface FilterPart {
  search: FindingsSearch;
  /** `undefined` takes a filter away. */
  onChange: (next: { [Name in keyof FindingsSearch]?: FindingsSearch[Name] | undefined }) => void;
}
