import { useQuery } from '@tanstack/react-query';
import { text } from '../../text/en';
import { serviceChoices } from '../projects/projects-queries';
import { useProjectChoice } from '../projects/use-project-choice';
import type { FilterPart } from './filter-part';
import styles from './findings.module.css';
import { InlineSelect } from './inline-select';

/** The project, of many with a search for its name, and once one is chosen, its service. */
export function ScopeFilter({ search, onChange }: FilterPart) {
  const offered = useProjectChoice(search.project_id ?? '');
  const services = useQuery({
    ...serviceChoices(search.project_id ?? ''),
    enabled: search.project_id !== undefined,
  });
  return (
    <>
      {offered.isSearched && (
        <input
          className={styles.box}
          type="search"
          aria-label={text.projects.nameContains}
          placeholder={text.projects.nameContains}
          title={text.projects.moreThanChoices}
          maxLength={255}
          value={offered.words}
          onChange={({ target }) => offered.setWords(target.value)}
        />
      )}
      <InlineSelect
        label={text.findings.project}
        value={search.project_id ?? ''}
        choices={[['', text.findings.allProjects], ...offered.choices]}
        onChange={(id) => onChange({ project_id: id || undefined, service_id: undefined })}
      />
      {search.project_id && (
        <InlineSelect
          label={text.findings.service}
          value={search.service_id ?? ''}
          choices={[
            ['', text.findings.allServices],
            ...(services.data ?? []).map(({ id, name }) => [id, name] as const),
          ]}
          onChange={(id) => onChange({ service_id: id || undefined })}
        />
      )}
    </>
  );
}
