import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/errors';
import { SelectField, TextField } from '../../components/fields';
import { text } from '../../text/en';
import { projectById, projectChoices } from './projects-queries';

interface ProjectFieldProps {
  label: string;
  /** The id; empty: none yet. */
  value: string;
  /** What stands there then. */
  empty: string;
  problem: string | undefined;
  onChange: (id: string) => void;
}

/** One of the projects; where there are more than a choice offers, of those whose name contains what is written. */
export function ProjectField({ label, value, empty, problem, onChange }: ProjectFieldProps) {
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
  return (
    <>
      {(found.data?.isCut || words !== '') && (
        <TextField
          type="search"
          label={text.projects.filters.name}
          hint={text.projects.moreThanChoices}
          maxLength={255}
          value={words}
          onChange={setWords}
          // It would send the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <SelectField
        label={label}
        problem={problem ?? (unread || undefined)}
        value={value}
        choices={[['', empty], ...offered.map(({ id, name }) => [id, name] as const)]}
        onChange={onChange}
      />
    </>
  );
}
