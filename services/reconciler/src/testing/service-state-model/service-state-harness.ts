import type { DecisionKind } from '@bomtrail/messages';
import { decisionOn } from '../../tracking/domain/testing';
import type { TrackedVulnerability } from '../../tracking/domain/types';
import type { Observation } from '../../tracking/domain/types';
import { compareService, compareWithNothing } from './compare-service';
import { documents } from './documents';
import { createServiceStateDriver, type ModelScan } from './service-state-driver';
import { createModelScanner, type AdvisoryChange } from './model-scanner';
import { wrongTimes } from './naive-detection';
import { createNaiveIds, type NaiveIds } from './naive-ids';
import { upper, type ModelAcceptance } from './model-vulnerabilities';

/** One step; a `pick` selects among the existing items, modulo their number. */
export type Step =
  | { does: 'upload'; service: number; document: number }
  /** A pending scan ends, of an upload or a re-scan. */
  | { does: 'end scan'; pick: number }
  | { does: 'upload and scan'; service: number; document: number }
  | { does: 'end all scans' }
  | { does: 'deliver again'; pick: number }
  | { does: 'delete'; pick: number; more: number }
  | { does: 'delete service'; service: number }
  /** Of a scanned SBOM that is not the newest one and waits for no re-scan. */
  | { does: 'expire'; pick: number }
  | {
      does: 'accept';
      pick: number;
      scope: 'project' | 'own service' | 'next service';
      hours: number | null;
      decision: DecisionKind;
      /** Of a person; else of a document. */
      manual: boolean;
    }
  | { does: 'un-accept'; pick: number }
  | { does: 'wait'; hours: number }
  /** At once: every document is evaluated and every service updated before the next step. */
  | { does: 'advisory'; change: AdvisoryChange; at_once: boolean; by_package: boolean }
  | { does: 'judge'; document: number; by_package: boolean };

interface Upload {
  id: string;
  seq: number;
  document: number;
  service_id: string;
  uploaded_at: string;
  isScanned: boolean;
  /** What it contained when it expired. */
  expired?: readonly Observation[];
}

const serviceCount = 3;
const hourMs = 3_600_000;

/** A project with three services, driven by the rules and compared with the naive model. */
export function createServiceStateHarness() {
  const scanner = createModelScanner();
  let hour = 0;
  let steps = 0;
  const wrong: string[] = [];
  let count = 0;
  let acceptances: ModelAcceptance[] = [];
  const uploads: Upload[] = [];
  const services = Array.from({ length: serviceCount }, (_, number) => `service-${number}`);
  const ids = new Map<string, NaiveIds>();
  const compared = new Map<string, unknown[]>();
  const waiting: ModelScan[] = [];
  const delivered: ModelScan[] = [];
  const timeOf = (hours: number): string => new Date(1e12 + hours * hourMs).toISOString();
  const driver = createServiceStateDriver({
    scanner,
    now: () => timeOf(hour),
    moment: () => timeOf(1_000 + steps),
    acceptances: () =>
      acceptances.map(({ names, service_id, expires_at, id, decision, isManual, decided_at }) =>
        decisionOn(names, {
          id,
          decision,
          source: isManual ? 'manual' : 'vex',
          services: service_id === null ? null : [service_id],
          expires_at,
          decided_at,
        }),
      ),
  });

  /** Applies a change, and records the times of detection that are wrong after it. */
  function withTimes(service_id: string, apply: () => void): void {
    const idsOfVersions = (): string[] =>
      driver.sbomVersions(service_id).map(({ sbom_id }) => sbom_id);
    const known = idsOfVersions();
    const before = driver.vulnerabilities(service_id);
    apply();
    wrong.push(
      ...wrongTimes({
        before,
        after: driver.vulnerabilities(service_id),
        sbomVersions: driver.sbomVersions(service_id).sort((a, b) => a.seq - b.seq),
        added: new Set(idsOfVersions().filter((id) => !known.includes(id))),
        at: timeOf(1_000 + steps),
      }),
    );
  }

  function upload(service: number, document: number): ModelScan | null {
    const service_id = services[service] as string;
    const ofService = uploads.filter((one) => one.service_id === service_id);
    // A duplicate of the latest SBOM creates nothing.
    if (ofService.at(-1)?.document === document) return null;
    count += 1;
    const one = { id: `sbom-${count}`, seq: count, document, service_id, isScanned: false };
    uploads.push({ ...one, uploaded_at: timeOf(count) });
    const sbomVersion = {
      sbom_id: one.id,
      seq: count,
      digest: `${document}`,
      created_at: timeOf(count),
    };
    const scan = { service_id, sbomVersion, revision: 0 };
    waiting.push(scan);
    return scan;
  }

  function deliver(scan: ModelScan): void {
    const at = waiting.indexOf(scan);
    if (at >= 0) waiting.splice(at, 1);
    delivered.push(scan);
    withTimes(scan.service_id, () => driver.deliver(scan));
    for (const one of uploads) if (one.id === scan.sbomVersion.sbom_id) one.isScanned = true;
  }

  /** Evaluates documents and queues a re-scan for each service with changed ones, by its newest such SBOM. */
  function judge(numbers: readonly number[], byPackage: boolean): ModelScan[] {
    const changes = new Map(numbers.map((number) => [number, scanner.evaluate(number)]));
    return services.flatMap((service_id) => {
      const changed = uploads.filter(
        (one) =>
          one.service_id === service_id &&
          !one.expired &&
          (changes.get(one.document) ?? []).length > 0,
      );
      const newest = changed.at(-1);
      if (!newest) return [];
      const { id, seq, document, uploaded_at } = newest;
      const sbomVersion = { sbom_id: id, seq, digest: `${document}`, created_at: uploaded_at };
      const packages = changed.flatMap((one) => changes.get(one.document) ?? []);
      const scan = { service_id, sbomVersion, revision: scanner.revision() };
      const result = byPackage ? { ...scan, packages } : scan;
      waiting.push(result);
      return [result];
    });
  }

  /** Removes an SBOM and up to `more` SBOMs uploaded before it to the same service. */
  function remove(newest: Upload, more: number): void {
    const ofService = uploads.filter(({ service_id }) => service_id === newest.service_id);
    const at = ofService.indexOf(newest);
    const removed = ofService.slice(Math.max(0, at - more), at + 1);
    for (const one of removed) uploads.splice(uploads.indexOf(one), 1);
    const sbom_ids = removed.map(({ id }) => id);
    const hasPendingRescan = waiting.some(
      ({ revision, sbomVersion }) => revision > 0 && sbom_ids.includes(sbomVersion.sbom_id),
    );
    const { service_id } = newest;
    withTimes(service_id, () => driver.remove(service_id, sbom_ids, !hasPendingRescan));
  }

  function expire(pick: number): void {
    const newest = services.map(
      (service_id) =>
        uploads.filter((one) => one.service_id === service_id && one.isScanned).at(-1)?.id,
    );
    const isWaiting = ({ id }: Upload): boolean =>
      waiting.some(({ sbomVersion }) => sbomVersion.sbom_id === id);
    const old = uploads.filter(
      (one) => one.isScanned && !one.expired && !newest.includes(one.id) && !isWaiting(one),
    );
    const one = select(old, pick);
    if (!one) return;
    one.expired = scanner.read(one.document).observations;
    driver.expire(one.service_id, one.id);
  }

  function deleteService(service: number): void {
    const service_id = services[service] as string;
    for (const one of uploads.filter((other) => other.service_id === service_id))
      uploads.splice(uploads.indexOf(one), 1);
    driver.deleteService(service_id);
    acceptances = acceptances.filter((one) => one.service_id !== service_id);
    services[service] = `${service_id}+`;
  }

  /** Re-evaluates the acceptances of services that have one of the names. */
  function apply(names: readonly string[]): void {
    for (const service_id of services) {
      const isConcerned = driver
        .vulnerabilities(service_id)
        .some((vulnerability) => vulnerability.identity.some((name) => names.includes(name)));
      if (isConcerned) driver.reassignStatuses(service_id);
    }
  }

  function accept({ pick, scope, hours, decision, manual }: Step & { does: 'accept' }): void {
    const open = services.flatMap((service_id, service) =>
      driver
        .vulnerabilities(service_id)
        .filter(isOpen)
        .map((vulnerability) => ({ vulnerability, service })),
    );
    const picked = select(open, pick);
    if (!picked) return;
    const names = upper(picked.vulnerability.snapshot?.aliases ?? []);
    const service = scope === 'next service' ? (picked.service + 1) % serviceCount : picked.service;
    const service_id = scope === 'project' ? null : (services[service] as string);
    const isTaken = acceptances.some(
      (one) =>
        manual &&
        one.isManual &&
        one.service_id === service_id &&
        one.names.some((name) => names.includes(name)),
    );
    if (isTaken) return;
    const expires_at = hours === null ? null : timeOf(hour + hours);
    const id = String((count += 1)).padStart(6, '0');
    const content = { id, decision, isManual: manual, decided_at: timeOf(hour) };
    acceptances = [...acceptances, { ...content, names, service_id, expires_at }];
    apply(names);
  }

  function wait(hours: number): void {
    hour += hours;
    const now = timeOf(hour);
    for (const { expires_at, names } of acceptances)
      if (expires_at !== null && expires_at <= now) apply(names);
  }

  function take(step: Step): void {
    switch (step.does) {
      case 'upload':
        upload(step.service, step.document);
        break;
      case 'upload and scan': {
        const scan = upload(step.service, step.document);
        if (scan) deliver(scan);
        break;
      }
      case 'end scan': {
        const scan = select(waiting, step.pick);
        if (scan) deliver(scan);
        break;
      }
      case 'end all scans':
        for (const scan of [...waiting]) deliver(scan);
        break;
      case 'deliver again': {
        const scan = select(delivered, step.pick);
        if (scan) driver.deliver(scan);
        break;
      }
      case 'delete': {
        const one = select(uploads, step.pick);
        if (one) remove(one, step.more);
        break;
      }
      case 'expire':
        expire(step.pick);
        break;
      case 'delete service':
        deleteService(step.service);
        break;
      case 'accept':
        accept(step);
        break;
      case 'un-accept': {
        const one = select(acceptances, step.pick);
        acceptances = acceptances.filter((other) => other !== one);
        if (one) apply(one.names);
        break;
      }
      case 'wait':
        wait(step.hours);
        break;
      case 'advisory': {
        scanner.change(step.change);
        const all = documents.map((_, number) => number);
        if (step.at_once) for (const scan of judge(all, step.by_package)) deliver(scan);
        break;
      }
      case 'judge':
        judge([step.document], step.by_package);
    }
  }

  function idsOf(service_id: string): NaiveIds {
    const known = ids.get(service_id) ?? createNaiveIds();
    ids.set(service_id, known);
    return known;
  }

  /** Whether facts and vulnerabilities are the same as at the last comparison. */
  function isAsBefore(service_id: string, facts: readonly unknown[]): boolean {
    const now = [...facts, ...driver.vulnerabilities(service_id)];
    const before = compared.get(service_id);
    compared.set(service_id, now);
    return before?.length === now.length && now.every((one, index) => one === before[index]);
  }

  function compare(service_id: string): string[] {
    const sboms = uploads
      .filter((one) => one.service_id === service_id && one.isScanned)
      .map(({ id, seq, uploaded_at, document, expired }) => {
        const { observations } = scanner.read(document);
        return expired
          ? { id, seq, uploaded_at, observations: expired, expired: true as const }
          : { id, seq, uploaded_at, observations };
      });
    const scans = sboms.flatMap(({ id, observations }) => [id, observations]);
    if (isAsBefore(service_id, [...scans, acceptances, hour])) return [];
    const facts = { service_id, sboms, acceptances, now: timeOf(hour) };
    return compareService(driver, facts, idsOf(service_id)).map(
      (wrong) => `${service_id}: ${wrong}`,
    );
  }

  return {
    /** Runs a step; returns the problems afterwards, in words. */
    take(step: Step): string[] {
      steps += 1;
      take(step);
      return [...wrong.splice(0), ...services.flatMap(compare)];
    },
    /** Further problems at the end. */
    end: (): string[] =>
      services
        // What expired SBOMs contain follows from nothing else that is stored.
        .filter((service_id) => driver.sbomVersions(service_id).every(({ expired }) => !expired))
        .flatMap((service_id) => compareWithNothing(driver, service_id)),
    vulnerabilities: () => services.flatMap((service_id) => driver.vulnerabilities(service_id)),
  };
}

export function isOpen({ status }: TrackedVulnerability): boolean {
  return status !== 'vanished' && status !== 'merged';
}

function select<Element>(list: readonly Element[], pick: number): Element | undefined {
  return list[pick % Math.max(1, list.length)];
}
