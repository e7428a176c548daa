import { SelectField, TextField } from '../../components/fields';
import { text } from '../../text/en';
import { useProjectChoice } from './use-project-choice';

interface ProjectFieldProps {
  label: string;
  /** The id; empty: none yet. */
  value: string;
  /** What stands there then. */
  empty: string;
  problem?: string | undefined;
  onChange: (id: string) => void;
}

/** One of the projects; where there are more than a choice offers, of those whose name contains what is written. */
export function ProjectField({ label, value, empty, problem, onChange }: ProjectFieldProps) {
  const offered = useProjectChoice(value);
  return (
    <>
      {offered.isSearched && (
        <TextField
          type="search"
          label={text.projects.filters.name}
          hint={text.projects.moreThanChoices}
          maxLength={255}
          value={offered.words}
          onChange={offered.setWords}
          // It would send the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <SelectField
        label={label}
        problem={problem ?? offered.problem}
        value={value}
        choices={[['', empty], ...offered.choices]}
        onChange={onChange}
      />
    </>
  );
}
