import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';

export const lettersKey = ['dead-letters'] as const;

/** One dead letter with its message. */
export function deadLetter(dead_letter_id: number) {
  return queryOptions({
    queryKey: ['dead-letter', dead_letter_id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/dead-letters/{dead_letter_id}', {
          params: { path: { dead_letter_id } },
          signal,
        }),
      ),
    retry: false,
  });
}

export function replayLetter(dead_letter_id: number) {
  const params = { path: { dead_letter_id } };
  return bodyOf(api.POST('/api/v1/dead-letters/{dead_letter_id}/replay', { params }));
}

export function deleteLetter(dead_letter_id: number) {
  const params = { path: { dead_letter_id } };
  return bodyOf(api.DELETE('/api/v1/dead-letters/{dead_letter_id}', { params }));
}
