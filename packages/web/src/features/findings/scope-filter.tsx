import { useQuery } from '@tanstack/react-query';
import { text } from '../../text/en';
import { projectChoices, serviceChoices } from '../projects/projects-queries';
import type { FilterPart } from './filter-part';
import { InlineSelect } from './inline-select';

/** The project, and once one is chosen, its service. */
export function ScopeFilter({ search, onChange }: FilterPart) {
  const projects = useQuery(projectChoices());
  const services = useQuery({
    ...serviceChoices(search.project_id ?? ''),
    enabled: search.project_id !== undefined,
  });
  return (
    <>
      <InlineSelect
        label={text.findings.project}
        value={search.project_id ?? ''}
        choices={[
          ['', text.findings.allProjects],
          ...(projects.data?.items ?? []).map(({ id, name }) => [id, name] as const),
        ]}
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
