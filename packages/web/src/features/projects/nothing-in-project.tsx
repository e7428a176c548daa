import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { nothingBy, nothingInAll, type Newest, type Unread } from './nothing-open';
import { newestWithoutService, serviceChoices } from './projects-queries';

interface NothingInProjectProps {
  projectId: string;
  /** The advisories that the counts are of. */
  data: Schemas['AdvisoryData'];
}

/** Stands where a project has nothing open: asks what that is based on, which the counts do not say. */
export function NothingInProject({ projectId, data }: NothingInProjectProps) {
  const { newest, isError } = useNewest(projectId);
  if (!newest) return <>{isError ? '–' : '…'}</>;
  return <>{nothingInAll(newest, nothingBy(data))}</>;
}

interface NewestSboms {
  /** Absent until they are read. */
  newest?: (Newest | Unread | null)[];
  isError: boolean;
}

/** The newest SBOM of each service of a project and of the project itself, or of one service. */
export function useNewest(projectId: string, serviceId?: string): NewestSboms {
  const services = useQuery(serviceChoices(projectId));
  const own = useQuery({ ...newestWithoutService(projectId), enabled: serviceId === undefined });
  const isError = services.isError || own.isError;
  if (!services.data) return { isError };
  if (serviceId !== undefined) {
    const service = services.data.find(({ id }) => id === serviceId);
    return { isError, newest: [service?.latest_sbom ?? null] };
  }
  if (own.data === undefined) return { isError };
  const newest = services.data.map(({ latest_sbom }) => latest_sbom);
  return { isError, newest: [...newest, own.data] };
}
