/** Of a decision that names no tracked vulnerability: by a document or a standing rule. */
export const noVulnerability = '00000000-0000-0000-0000-000000000000';

/**
 * What a person's decision occupies in its project: no other active one has the same alias id in the same
 * service, or both for no services in particular (docs/rules.md RA2).
 */
export function slotsOf({
  identity,
  services,
}: {
  identity: readonly string[];
  services: readonly string[] | null;
}): string[] {
  return (services ?? ['']).flatMap((service) => identity.map((alias) => `${alias} ${service}`));
}
