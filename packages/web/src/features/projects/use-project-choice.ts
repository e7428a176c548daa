import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/errors';
import { projectById, projectChoices } from './projects-queries';

/**
 * What a choice of a project offers: the projects, or where there are too many, those whose name contains what is
 * written. What is chosen is among them.
 *
 * @param value the id; empty: none is chosen
 */
export function useProjectChoice(value: string) {
  const [words, setWords] = useState('');
  const found = useQuery({
    ...projectChoices(words.trim()),
    placeholderData: keepPreviousData,
  });
  const items = found.data?.items ?? [];
  const isOffered = items.some(({ id }) => id === value);
  const chosen = useQuery({ ...projectById(value), enabled: value !== '' && !isOffered });
  const offered = chosen.data && !isOffered ? [chosen.data, ...items] : items;
  const unread = found.data === undefined && found.error instanceof ApiError && found.error.message;
  return {
    words,
    setWords,
    /** Whether there are more than are offered. */
    isSearched: found.data?.isCut === true || words !== '',
    choices: offered.map(({ id, name }) => [id, name] as const),
    /** Why none is offered. */
    problem: unread || undefined,
  };
}
