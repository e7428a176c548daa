import { cutLog, showAgain } from '../../domain/cut-log';
import { dispose } from '../../domain/dispose';
import { fingerprintOf } from '../../domain/fingerprint';
import { insertEntry, lateEntry } from '../../domain/insert-entry';
import { append, recompute, type Facts, type Ledger } from '../../domain/reconcile';
import { sameValue } from '../../domain/same-value';
import type { Coverer, LogEntry, Row } from '../../domain/types';
import { packageKeys, type ModelScanner } from './model-scanner';

/** The scan of an SBOM, as it is told to the reconciler. */
export interface ModelScan {
  service_id: string;
  entry: LogEntry;
  /** The revision of the re-scan; 0: the scan of an upload. */
  revision: number;
  /** The only packages that a re-scan looks at; all when absent. */
  packages?: readonly string[];
}

interface Line {
  ledger: Ledger;
  /** Null: nothing was written yet. */
  revision: number | null;
  log: Map<string, LogEntry | 'removed'>;
  /** The editions of its scan that the rows show of an SBOM, by package. */
  read: Map<string, Record<string, number>>;
  /** The findings with which one more SBOM changes no row, under these acceptances, and the rows of which that holds. */
  shows: { findings: string; acceptances: string; rows: readonly Row[] } | null;
  forgotten: boolean;
}

interface Harness {
  scanner: ModelScanner;
  acceptances: () => readonly Coverer[];
  now: () => string;
}

export type ServiceStateDriver = ReturnType<typeof createServiceStateDriver>;

/** The rules as the use-cases call them (`reconcile-sbom`, `catch-up`, `remove-sbom`, `apply-acceptance`), without their stores. */
export function createServiceStateDriver(harness: Harness) {
  const lines = new Map<string, Line>();
  let ids = 0;

  function lineOf(id: string): Line {
    const empty = { ledger: { head: null, rows: [] }, revision: null };
    const rest = { log: new Map(), read: new Map(), shows: null, forgotten: false };
    const line = lines.get(id) ?? { ...empty, ...rest };
    lines.set(id, line);
    return line;
  }

  function factsOf(service_id: string, rows: readonly Row[]): Facts {
    return {
      ...{ service_id, rows, acceptances: harness.acceptances(), now: harness.now() },
      observations: new Map(),
      newId: () => String((ids += 1)).padStart(6, '0'),
    };
  }

  function disposeAgain(service_id: string): void {
    const { ledger } = lineOf(service_id);
    const at = { service_id: service_id, now: harness.now() };
    ledger.rows = dispose(ledger.rows, harness.acceptances(), at);
  }

  /** Those in force: what changes them moves the counter of the project. */
  function epoch(): string {
    const now = harness.now();
    const inForce = harness
      .acceptances()
      .filter(({ expires_at }) => !expires_at || expires_at > now);
    return JSON.stringify(inForce);
  }

  /** Does one more SBOM with these findings change no row? */
  function isShown({ shows, ledger }: Line, findings: string): boolean {
    return (
      shows?.findings === findings &&
      shows.acceptances === epoch() &&
      sameValue(shows.rows, ledger.rows)
    );
  }

  function entriesOf(line: Line): LogEntry[] {
    return [...line.log.values()].filter((entry) => entry !== 'removed');
  }

  /** From the whole log, but only the rows of these packages. */
  function recomputed(
    service_id: string,
    entries: LogEntry[],
    packages?: readonly string[],
  ): Ledger {
    const line = lineOf(service_id);
    const isAsked = ({ package_key }: { package_key: string }): boolean =>
      !packages || packages.includes(package_key);
    const facts = factsOf(service_id, line.ledger.rows.filter(isAsked));
    const observations = new Map(
      entries.map(({ digest }) => {
        return [digest, harness.scanner.read(Number(digest)).observations.filter(isAsked)];
      }),
    );
    const { head, rows } = recompute({ ...facts, observations }, entries);
    return { head, rows: [...line.ledger.rows.filter((row) => !isAsked(row)), ...rows] };
  }

  function cut(service_id: string, log: LogEntry[], going: ReadonlySet<string>): Ledger | null {
    const { rows } = lineOf(service_id).ledger;
    const inOrder = [...log].sort((a, b) => a.seq - b.seq);
    const without = cutLog(rows, inOrder, going);
    const read = [...without.toShow.values()].map(
      ({ digest }) => [digest, harness.scanner.read(Number(digest)).observations] as const,
    );
    return showAgain({ ...factsOf(service_id, rows), observations: new Map(read) }, without);
  }

  /** With one more entry, by its own scan alone; null where that does not suffice. */
  function joined(
    service_id: string,
    entry: LogEntry,
    observations: Facts['observations'],
  ): Ledger | null {
    const line = lineOf(service_id);
    const { head, rows } = line.ledger;
    const facts = { ...factsOf(service_id, rows), observations };
    const seqs = entriesOf(line).map(({ seq }) => seq);
    seqs.sort((a, b) => a - b);
    const late = lateEntry(entry, seqs);
    if (head && late) return insertEntry(facts, head, late);
    const findings = fingerprintOf(observations.get(entry.digest) ?? []);
    return isShown(line, findings) ? { head: entry, rows } : append(facts, head, entry);
  }

  /** Notes what the rows show now of these SBOMs. */
  function note(
    line: Line,
    entries: readonly LogEntry[],
    packages: readonly string[] = packageKeys,
  ): void {
    for (const { sbom_id, digest } of entries) {
      const { editions } = harness.scanner.read(Number(digest));
      const read = packages.map((key) => [key, editions[key] ?? 0]);
      line.read.set(sbom_id, { ...line.read.get(sbom_id), ...Object.fromEntries(read) });
    }
  }

  function revisionOf(entries: readonly LogEntry[]): number {
    const revisions = entries.map(({ digest }) => harness.scanner.read(Number(digest)).revision);
    return revisions.length > 0 ? Math.min(...revisions) : 0;
  }

  return {
    disposeAgain,
    /** Has a scan changed of which the line was not told yet? */
    isBehind(service_id: string): boolean {
      const line = lineOf(service_id);
      return entriesOf(line).some(({ sbom_id, digest }) => {
        const { editions } = harness.scanner.read(Number(digest));
        return packageKeys.some((key) => editions[key] !== line.read.get(sbom_id)?.[key]);
      });
    },
    head: (service_id: string): LogEntry | null => lineOf(service_id).ledger.head,
    rows: (service_id: string): readonly Row[] => lineOf(service_id).ledger.rows,
    entries: (service_id: string): LogEntry[] => entriesOf(lineOf(service_id)),
    /** The rows as they follow from the log and the scans alone, whatever was before. */
    fromNothing(service_id: string, log: readonly LogEntry[]): Row[] {
      const read = ({ digest }: LogEntry) =>
        [digest, harness.scanner.read(Number(digest)).observations] as const;
      return recompute({ ...factsOf(service_id, []), observations: new Map(log.map(read)) }, log)
        .rows;
    },
    /** The rows as a full recomputation would leave them. */
    again: (service_id: string): Row[] =>
      recomputed(service_id, entriesOf(lineOf(service_id))).rows,

    deliver(scan: ModelScan): void {
      const { service_id, entry } = scan;
      const line = lineOf(service_id);
      if (line.forgotten) return;
      const known = line.log.get(entry.sbom_id);
      if (known === 'removed' || (known && scan.revision <= (line.revision ?? -1))) {
        disposeAgain(service_id);
        return;
      }
      const { head } = line.ledger;
      if (!known && scan.revision === 0) {
        const { observations, revision } = harness.scanner.read(Number(entry.digest));
        const observed = new Map([[entry.digest, observations]]);
        const ledger = joined(service_id, entry, observed);
        if (ledger) {
          if (head === null || entry.seq > head.seq) {
            const findings = fingerprintOf(observations);
            line.shows = { findings, acceptances: epoch(), rows: ledger.rows };
          } else if (line.shows && isShown(line, line.shows.findings)) {
            line.shows.rows = ledger.rows;
          }
          line.log.set(entry.sbom_id, entry);
          note(line, [entry]);
          Object.assign(line, { ledger, revision: Math.min(line.revision ?? revision, revision) });
          return;
        }
      }
      const packages = known ? scan.packages : undefined;
      line.log.set(entry.sbom_id, entry);
      const entries = entriesOf(line);
      line.ledger = recomputed(service_id, entries, packages);
      note(line, entries, packages);
      if (!packages) line.revision = revisionOf(entries);
    },

    /** @param settled no re-scan is owed to any of them */
    remove(service_id: string, sbom_ids: readonly string[], finished: boolean): void {
      const line = lineOf(service_id);
      const before = entriesOf(line);
      for (const id of sbom_ids) line.log.set(id, 'removed');
      const left = entriesOf(line);
      if (left.length === before.length) return;
      const ledger = finished ? cut(service_id, before, new Set(sbom_ids)) : null;
      if (ledger) {
        line.ledger = ledger;
        return;
      }
      line.ledger = recomputed(service_id, left);
      note(line, left);
      line.revision = revisionOf(left);
    },

    forget(service_id: string): void {
      Object.assign(lineOf(service_id), { forgotten: true, ledger: { head: null, rows: [] } });
    },
  };
}
