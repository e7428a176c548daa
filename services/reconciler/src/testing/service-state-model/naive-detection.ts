import type {
  PresenceInterval,
  SbomVersion,
  TrackedVulnerability,
} from '../../tracking/domain/types';

/** A change of a service: its vulnerabilities before and after, and what was known about it. */
export interface AppliedChange {
  before: readonly TrackedVulnerability[];
  after: readonly TrackedVulnerability[];
  /** The existing versions after the change, by sequence. */
  sbomVersions: readonly SbomVersion[];
  /** Ids of those that are new. */
  added: ReadonlySet<string>;
  at: string;
}

/** The times of detection that are not as docs/rules.md DT1 to DT5 say, version by version, in words. */
export function wrongTimes(change: AppliedChange): string[] {
  return change.after.flatMap((vulnerability) =>
    vulnerability.presence.flatMap((interval) => {
      const expected = expectedTime(change, vulnerability, interval);
      return expected === interval.detected_at
        ? []
        : [
            `${vulnerability.id} from ${interval.from}: ${interval.detected_at}, not ${expected}; before: ` +
              JSON.stringify(change.before.map(({ id, presence }) => ({ id, presence }))),
          ];
    }),
  );
}

function expectedTime(
  { before, sbomVersions, added, at }: AppliedChange,
  vulnerability: TrackedVulnerability,
  interval: PresenceInterval,
): string | undefined {
  const versionsIn = ({ from, to }: PresenceInterval): SbomVersion[] =>
    sbomVersions.filter(({ seq }) => seq >= from && (to === null || seq <= to));
  const own = versionsIn(interval);
  const known = before
    .filter(
      ({ package_key, identity }) =>
        package_key === vulnerability.package_key &&
        identity.some((alias) => vulnerability.identity.includes(alias)),
    )
    .flatMap(({ presence }) => presence)
    .filter((former) => versionsIn(former).some((version) => own.includes(version)));
  const first = own[0]?.scanned_at ?? '';
  if (known.length === 0) return added.has(own[0]?.sbom_id ?? '') || at < first ? first : at;
  const times = known.map((former) => {
    const [left] = versionsIn(former);
    const isCut = left?.seq !== former.from;
    return [former.detected_at ?? '', isCut ? (left?.scanned_at ?? '') : ''].sort()[1] ?? '';
  });
  return times.sort()[0];
}
