/** A service in the API: the project-level service has neither id nor name. */
export interface PublicService {
  service_id: string | null;
  service_name: string | null;
}

/**
 * Id and name of a service; two nulls for the project-level service, which has an internal id but
 * no name.
 */
export function publicService(of: {
  service_id: string;
  service_name: string | null;
}): PublicService {
  const { service_id, service_name } = of;
  return { service_id: service_name === null ? null : service_id, service_name };
}
