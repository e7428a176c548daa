import { TextField } from '../../components/fields';
import { text } from '../../text/en';
import { useWritten } from '../findings/use-written';
import type { ProjectsSearch } from './projects-search';

export const projectFilters = ['name', 'owner', 'label'] as const;

interface ProjectsFilterProps {
  by: ProjectsSearch;
  onNarrow: (change: ProjectsSearch) => void;
}

/** What the list is narrowed to; each field applies with Enter, when it is left, and when it is cleared. */
export function ProjectsFilter({ by, onNarrow }: ProjectsFilterProps) {
  return projectFilters.map((field) => (
    <FilterField
      key={field}
      label={text.projects.filters[field]}
      applied={by[field]}
      onApply={(written) => onNarrow({ [field]: written })}
    />
  ));
}

interface FilterFieldProps {
  label: string;
  applied: string | undefined;
  onApply: (written: string) => void;
}

function FilterField({ label, applied, onApply }: FilterFieldProps) {
  const [written, setWritten] = useWritten(applied);
  return (
    <TextField
      label={label}
      type="search"
      value={written}
      onChange={(now) => {
        setWritten(now);
        if (now === '') onApply(now);
      }}
      onBlur={() => onApply(written)}
      onKeyDown={({ key }) => key === 'Enter' && onApply(written)}
    />
  );
}
