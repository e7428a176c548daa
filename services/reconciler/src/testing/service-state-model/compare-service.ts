import { sameValue } from '../../tracking/domain/same-value';
import type { TrackedVulnerability } from '../../tracking/domain/types';
import type { ServiceStateDriver } from './service-state-driver';
import type { OpenVulnerability, NaiveIds } from './naive-ids';
import { modelVulnerabilities, upper, type ModelVulnerability } from './model-vulnerabilities';

type ServiceFacts = Parameters<typeof modelVulnerabilities>[0];

/**
 * The differences between the vulnerabilities of a service and the model, in words. None while the service
 * has pending re-scans.
 */
export function compareService(
  driver: ServiceStateDriver,
  facts: ServiceFacts,
  ids: NaiveIds,
): string[] {
  const { service_id } = facts;
  const vulnerabilities = driver.vulnerabilities(service_id);
  const open = vulnerabilities.filter(({ presence }) => presence.length > 0);
  if (driver.hasPendingUpdates(service_id)) {
    ids.remember(
      open.map((vulnerability) => toOpenVulnerability(vulnerability, vulnerability.origin)),
      (id) => resolve(vulnerabilities, id),
    );
    return [];
  }
  const wrong: string[] = [];
  const expected = modelVulnerabilities(facts);
  const found = expected.map((model) =>
    open.filter((vulnerability) => isVulnerabilityOf(vulnerability, model)),
  );
  const pairs = expected.flatMap((model, index) => {
    const [vulnerability, ...more] = found[index] ?? [];
    if (!vulnerability || more.length > 0) {
      wrong.push(`${found[index]?.length} vulnerabilities instead of one for ${text(model)}`);
      return [];
    }
    return [{ vulnerability, model }];
  });
  for (const { vulnerability, model } of pairs) {
    const stored = comparable(vulnerability);
    const compared = model.isOfExpired ? { ...stored, snapshot: model.snapshot } : stored;
    if (!sameValue(compared, comparableModel(model)))
      wrong.push(
        `expected ${text(comparableModel(model))}, got ${text(comparable(vulnerability))}`,
      );
  }
  const extra = open.filter(
    (vulnerability) => !pairs.some((pair) => pair.vulnerability === vulnerability),
  );
  wrong.push(...extra.map((vulnerability) => `unexpected vulnerability: ${text(vulnerability)}`));
  if (wrong.length > 0) return wrong;

  const snapshot = pairs.map(({ vulnerability, model }) => ({
    id: vulnerability.id,
    package_key: vulnerability.package_key,
    names: model.names,
    first_advisory: model.first_advisory,
  }));
  wrong.push(...ids.problems(snapshot, (id) => resolve(vulnerabilities, id)));
  ids.remember(
    pairs.map(({ vulnerability, model }) =>
      toOpenVulnerability(vulnerability, model.first_advisory),
    ),
    (id) => resolve(vulnerabilities, id),
  );
  return [
    ...wrong,
    ...hidden(vulnerabilities),
    ...sharedAliases(vulnerabilities),
    ...recomputed(driver, facts),
  ];
}

/** A vulnerability that no SBOM contains keeps only its identity. */
function hidden(vulnerabilities: readonly TrackedVulnerability[]): string[] {
  const nothing = {
    decided_by: null,
    contradicted: false,
    presence: [],
    first_seen_at: null,
    last_seen: null,
    snapshot: null,
  };
  return vulnerabilities
    .filter(({ presence }) => presence.length === 0)
    .filter((vulnerability) => {
      const status = vulnerability.merged_into === null ? 'vanished' : 'merged';
      const { package_key } = vulnerability;
      return !sameValue(comparable(vulnerability), { package_key, status, ...nothing });
    })
    .map((vulnerability) => `not hidden: ${text(vulnerability)}`);
}

/** In a package no two vulnerabilities share an alias, except merged ones. */
function sharedAliases(vulnerabilities: readonly TrackedVulnerability[]): string[] {
  const owners = new Map<string, string>();
  const wrong: string[] = [];
  for (const { id, package_key, identity } of vulnerabilities.filter(
    (vulnerability) => vulnerability.merged_into === null,
  )) {
    for (const alias of identity) {
      const key = `${package_key} ${alias}`;
      if (owners.has(key)) wrong.push(`${id} and ${owners.get(key)} both have ${key}`);
      owners.set(key, id);
    }
  }
  return wrong;
}

/** A full recomputation changes nothing. */
function recomputed(driver: ServiceStateDriver, facts: ServiceFacts): string[] {
  const wrong: string[] = [];
  const newest = [...facts.sboms].sort((a, b) => b.seq - a.seq)[0];
  const head = driver.head(facts.service_id);
  if (newest?.id !== head?.sbom_id) wrong.push(`the newest is ${newest?.id}, not ${head?.sbom_id}`);
  const again = driver.again(facts.service_id);
  if (!sameValue(byId(again), byId(driver.vulnerabilities(facts.service_id))))
    wrong.push(`recomputed: ${text(again)}, not ${text(driver.vulnerabilities(facts.service_id))}`);
  return wrong;
}

/** The vulnerabilities follow from SBOM versions and scans alone, in whatever order the scans ended. */
export function compareWithNothing(driver: ServiceStateDriver, service_id: string): string[] {
  if (driver.hasPendingUpdates(service_id)) return [];
  const whole = sorted(driver.fromNothing(service_id, driver.sbomVersions(service_id).reverse()));
  const vulnerabilities = sorted(driver.vulnerabilities(service_id));
  return sameValue(whole, vulnerabilities)
    ? []
    : [`from nothing: ${text(whole)}, not ${text(vulnerabilities)}`];
}

function isVulnerabilityOf(
  vulnerability: TrackedVulnerability,
  model: ModelVulnerability,
): boolean {
  return (
    vulnerability.package_key === model.package_key &&
    toOpenVulnerability(vulnerability, '').names.some((name) => model.names.includes(name))
  );
}

function toOpenVulnerability(
  vulnerability: TrackedVulnerability,
  first_advisory: string,
): OpenVulnerability {
  const names = upper(vulnerability.snapshot?.aliases ?? []);
  return { id: vulnerability.id, package_key: vulnerability.package_key, names, first_advisory };
}

function resolve(vulnerabilities: readonly TrackedVulnerability[], id: string): string | undefined {
  const vulnerability = vulnerabilities.find((one) => one.id === id);
  return vulnerability?.merged_into
    ? resolve(vulnerabilities, vulnerability.merged_into)
    : vulnerability?.id;
}

function comparable({
  package_key,
  status,
  decided,
  presence,
  first_seen_at,
  last_seen,
  snapshot,
}: TrackedVulnerability) {
  // The times of detection depend on the order of events.
  const ranges = presence.map(({ from, to }) => ({ from, to }));
  return {
    package_key,
    status,
    decided_by: decided?.id ?? null,
    contradicted: decided?.contradicted ?? false,
    presence: ranges,
    first_seen_at,
    last_seen,
    snapshot,
  };
}

function comparableModel(model: ModelVulnerability) {
  const { names: _names, first_advisory: _first, isOfExpired: _expired, ...result } = model;
  return result;
}

function sorted(vulnerabilities: readonly TrackedVulnerability[]): string[] {
  return vulnerabilities
    .filter(({ presence }) => presence.length > 0)
    .map((vulnerability) => text(comparable(vulnerability)))
    .sort();
}

function byId(vulnerabilities: readonly TrackedVulnerability[]): TrackedVulnerability[] {
  return [...vulnerabilities].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const text = (value: unknown): string => JSON.stringify(value);
