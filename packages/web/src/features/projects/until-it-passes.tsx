import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { Loaded } from '../../components/loaded';
import { Section } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { stepsOf } from '../plan/plan-text';
import styles from './projects.module.css';
import { wayOut, type FailingFinding } from './service-queries';
import type { WayToPass } from './way-to-pass';

const words = text.projects.untilItPasses;
type Way = WayToPass<Schemas['Remediation'], FailingFinding>;

/** Which upgrades of a service its gate waits for, and what no upgrade closes. */
export function UntilItPasses(given: {
  scope: { project_id: string; service_id: string };
  verdict: Schemas['SbomVerdict'];
}) {
  const { scope, verdict } = given;
  const queries = useQueryClient();
  return (
    <Section title={words.title}>
      <Loaded query={useQuery(wayOut(queries, scope, verdict))} lines={4}>
        {({ needed, stuck, read, complete }) => (
          <>
            <p>
              {words.lead(needed.length, stuck.length)}
              {read < verdict.failing_total &&
                ` ${words.part(formatNumber(read), formatNumber(verdict.failing_total))}`}
              {!complete && ` ${words.incomplete}`}
            </p>
            {needed.length > 0 && <Needed rows={needed} />}
            {stuck.length > 0 && <Stuck rows={stuck} />}
            <p className={styles.faint}>{words.basis}</p>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Needed({ rows }: { rows: Way['needed'] }) {
  return (
    <Table
      label={words.needed}
      rows={rows}
      keyOf={({ line }) => `${line.ecosystem} ${line.package_name}`}
      columns={[
        { name: text.plan.columns.package, cell: ({ line }) => <b>{line.package_name}</b> },
        { name: text.plan.columns.step, cell: ({ line }) => stepsOf(line) },
        {
          name: words.closes,
          cell: ({ closes }) => closes.map(({ cve_id }) => cve_id).join(', '),
        },
        {
          name: words.broughtBy,
          secondary: true,
          cell: ({ line: { direct_dependencies } }) =>
            (direct_dependencies ?? []).map(({ name }) => name).join(', ') || '–',
        },
      ]}
    />
  );
}

function Stuck({ rows }: { rows: Way['stuck'] }) {
  return (
    <Table
      label={words.stuck}
      rows={rows}
      keyOf={({ finding }) => finding.id}
      columns={[
        {
          name: words.stays,
          cell: ({ finding }) => (
            <Link to="/findings" search={{ finding: finding.id }}>
              {finding.cve_id}
            </Link>
          ),
        },
        { name: text.plan.columns.package, cell: ({ finding }) => finding.package_name },
        { name: words.why, cell: ({ why }) => words.obstacles[why] },
      ]}
    />
  );
}
