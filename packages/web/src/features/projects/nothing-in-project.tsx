import { useQuery } from '@tanstack/react-query';
import { nothingInAll } from './nothing-open';
import { projectHistory, serviceChoices } from './projects-queries';

/** Stands where a project has nothing open: asks what that is based on, which the counts do not say. */
export function NothingInProject({ projectId }: { projectId: string }) {
  const services = useQuery(serviceChoices(projectId));
  const history = useQuery(projectHistory(projectId, 1));
  if (!services.data || !history.data) return <>{services.error || history.error ? '–' : '…'}</>;
  const ofProject = history.data.items.find(({ service_id }) => !service_id);
  const newest = services.data.map(({ latest_sbom }) => latest_sbom);
  return <>{nothingInAll([...newest, ofProject ?? null])}</>;
}
