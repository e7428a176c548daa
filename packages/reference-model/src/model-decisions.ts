import type {
  ModelAcceptance,
  ModelDecision,
  ModelProject,
  ModelSbom,
  ModelStatement,
} from './model-facts';

/** A vulnerability of a newest SBOM. */
interface Row {
  service: string | null;
  package_name: string;
  names: readonly string[];
  versions: readonly string[];
  severity: string;
}

interface Decided {
  by: 'manual' | 'vex' | 'rule';
  decision: ModelDecision;
}

/**
 * The decision on a vulnerability by docs/rules.md DC2: of a person, of a document, of a rule; the narrower scope first,
 * then the later one, which has the greater id.
 */
export function decisionOn(
  { acceptances, vex = [], rules = [] }: ModelProject,
  row: Row,
  at: { sbom: ModelSbom; now: number },
): Decided | null {
  const manual = acceptances
    .filter((one) => applies(one, row, at.now))
    .sort(narrowerThenLater)
    .map(({ decision = 'accepted' }): Decided => ({ by: 'manual', decision }));
  const statements = vex.flatMap((document) => document.statements);
  const stated = statements
    .filter((one) => one.says !== 'affected' && coversAll(statements, one, { row, ...at }))
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .map(({ says }): Decided => ({ by: 'vex', decision: says as ModelDecision }));
  const ruled = rules
    .filter(({ service }) => service === null || service === row.service)
    .filter(({ prefix }) => row.package_name.startsWith(prefix))
    .filter(({ severity }) => severity === null || severity === row.severity)
    .sort(narrowerThenLater)
    .map(({ decision }): Decided => ({ by: 'rule', decision }));
  return [...manual, ...stated, ...ruled][0] ?? null;
}

function applies({ service, expires_at, names }: ModelAcceptance, row: Row, now: number): boolean {
  return (
    (service === null || service === row.service) &&
    (expires_at === null || now < expires_at) &&
    names.some((name) => row.names.includes(name))
  );
}

function narrowerThenLater(
  a: { service: string | null; id: string },
  b: { service: string | null; id: string },
): number {
  return Number(a.service === null) - Number(b.service === null) || (a.id < b.id ? 1 : -1);
}

/** VX6, VX7 and VX9: whether a statement is about every version of the vulnerability's package in the SBOM. */
function coversAll(
  all: readonly ModelStatement[],
  statement: ModelStatement,
  { row, sbom }: { row: Row; sbom: ModelSbom },
): boolean {
  if (!row.names.includes(statement.name)) return false;
  const covered = new Set(coveredBy(statement, sbom));
  for (const other of all)
    if (other.says === 'affected' && row.names.includes(other.name) && other.at > statement.at)
      for (const component of coveredBy(other, sbom)) covered.delete(component);
  return row.versions.every((version) => covered.has(`${row.package_name}@${version}`));
}

function coveredBy({ package_name, version }: ModelStatement, { components }: ModelSbom): string[] {
  return components.filter((component) =>
    version === null
      ? component.startsWith(`${package_name}@`)
      : component === `${package_name}@${version}`,
  );
}
