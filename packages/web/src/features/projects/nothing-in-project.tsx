import { useQuery } from '@tanstack/react-query';
import { nothingInAll, type Newest } from './nothing-open';
import { projectHistory, serviceChoices } from './projects-queries';

/** Stands where a project has nothing open: asks what that is based on, which the counts do not say. */
export function NothingInProject({ projectId }: { projectId: string }) {
  const { newest, isError } = useNewest(projectId);
  if (!newest) return <>{isError ? '–' : '…'}</>;
  return <>{nothingInAll(newest)}</>;
}

interface NewestSboms {
  /** Absent until they are read. */
  newest?: (Newest | null)[];
  isError: boolean;
}

/** The newest SBOM of each service of a project and of the project itself, or of one service. */
export function useNewest(projectId: string, serviceId?: string): NewestSboms {
  const services = useQuery(serviceChoices(projectId));
  const history = useQuery({ ...projectHistory(projectId, 1), enabled: serviceId === undefined });
  const isError = services.isError || history.isError;
  if (!services.data) return { isError };
  if (serviceId !== undefined) {
    const service = services.data.find(({ id }) => id === serviceId);
    return { isError, newest: [service?.latest_sbom ?? null] };
  }
  if (!history.data) return { isError };
  const ofProject = history.data.items.find(({ service_id }) => !service_id);
  const newest = services.data.map(({ latest_sbom }) => latest_sbom);
  return { isError, newest: [...newest, ofProject ?? null] };
}
