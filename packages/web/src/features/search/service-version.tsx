import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { text } from '../../text/en';
import { serviceChoices } from '../projects/projects-queries';

/** The service of a finding, its newest version where that is the one with the finding, and its project. */
export function ServiceVersion({ found }: { found: Schemas['AffectedVulnerability'] }) {
  const { data } = useQuery(serviceChoices(found.project_id));
  const newest = data?.find(({ id }) => id === found.service_id)?.latest_sbom;
  return (
    <>
      <Link to="/sboms/$sbomId" params={{ sbomId: found.sbom_id }}>
        <b>{found.service_name ?? text.common.projectLevel}</b>{' '}
        {newest?.id === found.sbom_id && newest.version}
      </Link>{' '}
      · {found.project_name}
    </>
  );
}
