import { parsePageSearch, type PageSearch } from '../../app/search-params';
import { labelsOf } from './labels-of';

/** The search parameters of `/projects`. What is left out is everything. */
export interface ProjectsSearch extends PageSearch {
  /** A part of the name. */
  name?: string;
  owner?: string;
  /** Comma-separated; one suffices. */
  label?: string;
}

/** Takes what is valid; anything else in an address counts as left out. */
export function parseProjectsSearch(search: Record<string, unknown>): ProjectsSearch {
  const name = typeof search['name'] === 'string' ? search['name'].trim().slice(0, 255) : '';
  return {
    ...(name ? { name } : {}),
    ...ownerOf(search['owner']),
    ...labelOf(search['label']),
    ...parsePageSearch(search),
  };
}

/** The filter by owner of an address. */
export function ownerOf(given: unknown): { owner?: string } {
  const owner = typeof given === 'string' ? given.trim().slice(0, 255) : '';
  return owner === '' ? {} : { owner };
}

/** The filter by labels of an address: those that the API takes. */
export function labelOf(given: unknown): { label?: string } {
  const labels = typeof given === 'string' ? labelsOf(given) : [];
  const valid = labels.filter((label) => Array.from(label).length <= 64).slice(0, 20);
  return valid.length === 0 ? {} : { label: valid.join(',') };
}
