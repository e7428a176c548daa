/** A service as the API names it: the project-level service has neither id nor name. */
export interface PublicService {
  service_id: string | null;
  service_name: string | null;
}

/** The id of a service, and its name; the project-level service, which has an id but no name, becomes two nulls. */
export function publicService(of: {
  service_id: string;
  service_name: string | null;
}): PublicService {
  const { service_id, service_name } = of;
  return { service_id: service_name === null ? null : service_id, service_name };
}
