import type { ReactNode } from 'react';
import type { Finding } from './findings-queries';
import type { FindingsSearch } from './findings-search';
import type { Selection } from './selection';

/** What both forms of the list, plain and grouped, get from the view. */
export interface ListProps {
  search: FindingsSearch;
  selection: Selection;
  /** The filter bar, between the heading and the rows. */
  filters: ReactNode;
  onOpen: (id: string | undefined) => void;
  onDecide: (findings: readonly Finding[]) => void;
}
