import { severities, type RiskScores, type Severity } from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import type { TrackedVulnerability } from '../tracking/domain/types';
import type {
  DetailsDocument,
  SbomVersionDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../tracking/store/documents';
import { riskValues } from '../risk/domain/risk-values';
import { detailsIdOf, toDetailsDocument, withRiskValues } from '../tracking/store/details-document';
import { toDocument } from '../tracking/store/vulnerability-mapping';

/** Distinct vulnerabilities in a generated database of any size. */
export const vulnerabilityCount = 20_000;
const servicesOfProject = 50;
const ecosystems = ['npm', 'npm', 'npm', 'Maven', 'Maven', 'PyPI', 'PyPI', 'Go', 'Debian', 'NuGet'];
/** Percentages of critical, high, medium, low and none; the rest is unknown. */
const shares = [10, 30, 40, 12, 1];
const firstDay = Date.UTC(2015, 0, 1);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Returns a number in [0, 1). */
export type Draw = () => number;

/** Deterministic for a seed. */
export function drawing(seed: number): Draw {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Vulnerability {
  aliases: string[];
  cve_id: string;
  severity: Severity;
  cvss_score: number | null;
  published_at: string | null;
  package_name: string;
  ecosystem: string;
  has_fix: boolean;
  scores: RiskScores;
  /** Id of the details. */
  details: string;
}

/** All vulnerabilities; the first ones are the most common. */
export function generateVulnerabilities(): Vulnerability[] {
  const draw = drawing(1);
  return Array.from({ length: vulnerabilityCount }, (_, number) => {
    const severity = drawSeverity(draw);
    const ghsa = `GHSA-${number.toString(36).padStart(4, '0')}-bench`;
    const cve = `CVE-${2015 + (number % 11)}-${10_000 + number}`;
    const isNamed = draw() < 0.9;
    const number_of_package = Math.floor(draw() * 5000);
    const package_name = `package-${number_of_package}`;
    // Own draws, so that the rest stays as it was.
    const own = drawing(number);
    const ecosystem = ecosystems[number_of_package % ecosystems.length] as string;
    const has_fix = own() < 0.8;
    return {
      aliases: isNamed ? [ghsa, cve] : [ghsa],
      cve_id: isNamed ? cve : ghsa,
      severity,
      cvss_score: draw() < 0.05 ? null : scoreOf(severity, draw),
      published_at:
        draw() < 0.02 ? null : new Date(firstDay + Math.floor(draw() * 4000) * dayMs).toISOString(),
      package_name,
      ecosystem,
      has_fix,
      scores: scoresOf(cve, own),
      details: detailsIdOf(String(number), { package_name, ecosystem, has_fix }),
    };
  });
}

export function detailsOf(vulnerability: Vulnerability): DetailsDocument {
  const { aliases, cve_id, severity, cvss_score, published_at, package_name } = vulnerability;
  const { ecosystem, has_fix, scores } = vulnerability;
  const document = toDetailsDocument(vulnerability.details, {
    package_name,
    ecosystem,
    has_fix,
    aliases,
    cve_id,
    severity,
    cvss_score,
    published_at,
    advisory_ids: aliases.slice(0, 1),
    cvss_vector: null,
    modified_at: published_at,
    title: `About ${cve_id}`,
    description: `Description of ${cve_id}. `.repeat(10),
    references: [{ type: 'ADVISORY', url: `https://example.com/${cve_id}` }],
  });
  return withRiskValues(document, riskValues(document, [scores]));
}

/** Most scores are low: a tenth is above 0.28, a hundredth above 0.88. One in 200 is exploited. */
function scoresOf(cve: string, draw: Draw): RiskScores {
  const score = Math.round(draw() ** 12 * 1e5) / 1e5;
  const isExploited = draw() < 0.005;
  const kev = { date_added: '2025-01-01', due_date: null, ransomware: false };
  const exploited_known_at = isExploited ? '2025-01-02T00:00:00.000Z' : null;
  const entry = isExploited ? kev : null;
  return { cve, epss: { score, percentile: score }, kev: entry, exploited_known_at };
}

interface GeneratedService {
  state: ServiceStateDocument;
  versions: SbomVersionDocument[];
  vulnerabilities: TrackedVulnerabilityDocument[];
}

/** Detected within the year before the database is filled. */
const detectedDays = 365;

/** Generates services one by one, each with its state and no open counts. */
export function* generateServices(
  { count, perService }: { count: number; perService: number },
  vulnerabilities: readonly Vulnerability[],
): Generator<GeneratedService> {
  const draw = drawing(2);
  // Own draws, so that the rest stays as it was.
  const drawDetected = drawing(3);
  const now = Date.now();
  let left = count;
  let project_id = '';
  for (let number = 0; left > 0; number++) {
    const uploaded = Date.UTC(2020, 0, 1) + number * 60_000;
    if (number % servicesOfProject === 0) project_id = newId({ msecs: uploaded });
    const service = { service_id: newId({ msecs: uploaded }), project_id };
    const size = Math.min(left, Math.round(perService * (0.5 + draw())));
    left -= size;
    const digest = '0'.repeat(64);
    const versions = [1, 2, 3].map((seq) => {
      const sbom_id = newId({ msecs: uploaded });
      return { sbom_id, seq, digest, created_at: new Date(uploaded + seq * hourMs).toISOString() };
    });
    yield {
      state: {
        _id: service.service_id,
        project_id,
        version: 3,
        revision: 1,
        head: versions[2] ?? null,
      },
      versions: versions.map(({ sbom_id, ...one }) => ({ _id: sbom_id, ...service, ...one })),
      vulnerabilities: Array.from({ length: size }, () => {
        // The square makes the first ones common: the first is in one of 140 tracked vulnerabilities.
        const one = vulnerabilities[Math.floor(vulnerabilityCount * draw() ** 2)] as Vulnerability;
        const detected_at = new Date(now - Math.floor(drawDetected() * detectedDays * dayMs));
        return { ...toDocument(vulnerabilityOf(one, { draw, uploaded }), service), detected_at };
      }),
    };
  }
}

function vulnerabilityOf(
  vulnerability: Vulnerability,
  options: { draw: Draw; uploaded: number },
): TrackedVulnerability {
  const { draw, uploaded } = options;
  const { details, aliases, cve_id, severity, cvss_score, published_at } = vulnerability;
  const name = vulnerability.package_name;
  const package_version = `1.${Math.floor(draw() * 40)}.0`;
  const seen = uploaded + Math.floor(draw() * 3) * 1_200_000;
  const chance = draw();
  const status = chance < 0.85 ? 'open' : chance < 0.9 ? 'accepted' : 'fixed';
  return {
    id: newId({ msecs: seen }),
    package_key: `${vulnerability.ecosystem}|${name}`,
    origin: aliases[0] ?? '',
    identity: aliases.map((alias) => alias.toUpperCase()),
    merged_into: null,
    status,
    presence: [{ from: 1, to: status === 'fixed' ? 2 : null }],
    first_seen_at: new Date(seen).toISOString(),
    last_seen: status === 'fixed' ? { sbom_id: '', at: new Date(seen).toISOString() } : null,
    snapshot: {
      package_name: name,
      package_version,
      package_versions: [package_version],
      purl: `pkg:npm/${name}@${package_version}`,
      ecosystem: vulnerability.ecosystem,
      fixed_versions: vulnerability.has_fix ? ['2.0.0'] : [],
      is_direct: draw() < 0.2,
      details,
      aliases,
      cve_id,
      severity,
      cvss_score,
      published_at,
    },
  };
}

function drawSeverity(draw: Draw): Severity {
  let left = draw() * 100;
  const found = shares.findIndex((share) => (left -= share) < 0);
  return severities[found] ?? 'unknown';
}

function scoreOf(severity: Severity, draw: Draw): number | null {
  const bands: Record<Severity, [number, number] | null> = {
    critical: [9, 10],
    high: [7, 8.9],
    medium: [4, 6.9],
    low: [0.1, 3.9],
    none: [0, 0],
    unknown: null,
  };
  const band = bands[severity];
  return band && Math.round((band[0] + draw() * (band[1] - band[0])) * 10) / 10;
}
