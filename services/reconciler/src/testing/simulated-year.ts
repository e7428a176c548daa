import { severities, type Severity } from '@bomtrail/messages';
import { sequence } from '@bomtrail/testkit';
import { v7 as newId } from 'uuid';
import { append, recompute, type ServiceState } from '../tracking/domain/reconcile';
import { observation } from '../tracking/domain/testing';
import type { Observation, SbomVersion } from '../tracking/domain/types';

/** An advisory that takes effect at a time (milliseconds) for one version of a package. */
export interface SimulatedAdvisory {
  name: string;
  component: string;
  severity: Severity;
  from: number;
}

/** An upload of a service: its components, and when its scan ended. */
export interface SimulatedUpload {
  seq: number;
  components: readonly string[];
  scanned: number;
}

/** What happened to one service, and the vulnerabilities that follow by the rules. */
export interface SimulatedService {
  uploads: readonly SimulatedUpload[];
  versions: readonly SbomVersion[];
  state: ServiceState;
}

export interface Simulation {
  begin: number;
  end: number;
  advisories: readonly SimulatedAdvisory[];
  services: SimulatedService[];
}

const dayMs = 86_400_000;

/**
 * Simulates services over some days: uploads that move a few components, and advisories that take effect
 * in between, each applied to the service at once.
 */
export function simulate(options: { services: number; days: number; seed: number }): Simulation {
  const below = sequence(options.seed);
  const begin = Date.parse('2025-11-01T00:00:00.000Z');
  const end = begin + options.days * dayMs;
  const advisories = Array.from({ length: 60 }, (_, index): SimulatedAdvisory => ({
    name: `GHSA-${index}`,
    component: `p${below(20)}@${1 + below(6)}`,
    severity: severities[below(severities.length)] ?? 'unknown',
    // A third is known from the beginning.
    from: index % 3 === 0 ? 0 : begin + below(end - begin),
  }));
  const services = Array.from({ length: options.services }, () => {
    const uploads: SimulatedUpload[] = [];
    let components = Array.from({ length: 6 }, () => `p${below(20)}@1`);
    const count = 1 + below(Math.max(2, Math.ceil(options.days / 8)));
    const times = Array.from({ length: count }, () => begin + below(end - begin)).sort(
      (a, b) => a - b,
    );
    times.forEach((scanned, index) => {
      uploads.push({ seq: index + 1, components, scanned });
      components = components.map((one) =>
        below(10) < 3 ? `${one.split('@')[0]}@${1 + below(6)}` : one,
      );
    });
    return serviceOf(uploads, advisories, end);
  });
  return { begin, end, advisories, services };
}

/** Replays the uploads of a service and the advisories in order of time, by the rules. */
export function serviceOf(
  uploads: readonly SimulatedUpload[],
  advisories: readonly SimulatedAdvisory[],
  end: number,
): SimulatedService {
  const moments = [...uploads.map(({ scanned }) => scanned), ...advisories.map(({ from }) => from)];
  const steps = [...new Set(moments)].filter((at) => at < end).sort((a, b) => a - b);
  const versions: SbomVersion[] = [];
  let state: ServiceState = { head: null, vulnerabilities: [] };
  for (const at of steps) {
    const observations = new Map(
      uploads.map(({ seq, components }) => [`${seq}`, observationsAt(components, advisories, at)]),
    );
    const facts = {
      service_id: 'service',
      acceptances: [],
      observations,
      now: new Date(at).toISOString(),
      newId,
    };
    for (const upload of uploads.filter(({ scanned }) => scanned === at)) {
      const { head, vulnerabilities } = state;
      const version = versionOf(upload);
      versions.push(version);
      const next = append({ ...facts, vulnerabilities }, head, version);
      if (!next) throw new Error('Identities were reshaped.');
      state = next;
    }
    if (!advisories.some(({ from }) => from === at)) continue;
    const change = { at: new Date(at).toISOString(), added: new Set<string>() };
    state = recompute({ ...facts, vulnerabilities: state.vulnerabilities, change }, versions);
  }
  return { uploads, versions, state };
}

function versionOf({ seq, scanned }: SimulatedUpload): SbomVersion {
  const time = new Date(scanned).toISOString();
  return { sbom_id: `sbom-${seq}`, seq, digest: `${seq}`, created_at: time, scanned_at: time };
}

function observationsAt(
  components: readonly string[],
  advisories: readonly SimulatedAdvisory[],
  at: number,
): Observation[] {
  return advisories
    .filter(({ component, from }) => from <= at && components.includes(component))
    .map(({ name, component, severity }) => ({ ...observation(`${component} ${name}`), severity }));
}

/** The numbers of a day that lists at the end of each day would have shown. */
export interface NaiveDay {
  open: Record<string, number>;
  opened: Record<string, number>;
  fixed: Record<string, number>;
  fix_seconds: Record<string, number[]>;
}

/**
 * Counts again without intervals: a replay of what the list of each service shows, moment by moment. An
 * entry of the list is a vulnerability (an advisory in a package) of the newest scanned SBOM.
 */
export function recount({ begin, end, advisories, services }: Simulation): NaiveDay[] {
  const days = Array.from({ length: Math.ceil((end - begin) / dayMs) }, (): NaiveDay => ({
    open: {},
    opened: {},
    fixed: {},
    fix_seconds: {},
  }));
  const add = (counts: Record<string, number>, severity: string): void => {
    counts[severity] = (counts[severity] ?? 0) + 1;
  };
  for (const { uploads } of services) {
    const since = new Map<SimulatedAdvisory, number>();
    const listAt = (at: number): SimulatedAdvisory[] => {
      const newest = uploads.filter(({ scanned }) => scanned <= at).at(-1);
      return advisories.filter(
        ({ component, from }) => from <= at && newest?.components.includes(component),
      );
    };
    const moments = [
      ...uploads.map(({ scanned }) => scanned),
      ...advisories.map(({ from }) => from),
    ]
      .filter((at) => at >= begin && at < end)
      .sort((a, b) => a - b);
    days.forEach((day, index) => {
      const [from, to] = [begin + index * dayMs, begin + (index + 1) * dayMs];
      for (const at of moments.filter((moment) => moment >= from && moment < to)) {
        const shown = listAt(at);
        for (const one of shown)
          if (!since.has(one)) {
            since.set(one, at);
            add(day.opened, one.severity);
          }
        for (const [one, begun] of [...since])
          if (!shown.includes(one)) {
            since.delete(one);
            add(day.fixed, one.severity);
            (day.fix_seconds[one.severity] ??= []).push(Math.round((at - begun) / 1000));
          }
      }
      for (const one of listAt(to - 1)) add(day.open, one.severity);
    });
  }
  for (const { fix_seconds } of days)
    for (const seconds of Object.values(fix_seconds)) seconds.sort((a, b) => a - b);
  return days;
}
