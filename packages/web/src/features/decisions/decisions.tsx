import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { useMay } from '../../app/own-rights';
import { SelectField } from '../../components/fields';
import { formatNumber } from '../../components/format';
import { StaleContent, Loaded, LoadedPage } from '../../components/loaded';
import { Empty, PageHead, Section } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { decisionKinds } from '../findings/decision-kinds';
import { everyStatus } from '../findings/findings-search';
import { ProjectField } from '../projects/project-field';
import { Basis, ReportActions } from '../report/report-parts';
import report from '../report/report.module.css';
import { selects } from '../vex/rule-in-words';
import { decisionRules } from '../vex/vex-queries';
import { what, when, whyWhoUntil } from './decision-columns';
import { decisionReport, globalDecisions, saveDecisions } from './decisions-queries';
import type { DecisionsSearch } from './decisions-search';

const words = text.decisions;
type Decision = Schemas['RiskAcceptanceResponse'];

/** For an auditor: who decided what, when, why, until when and for which services, on paper and as a file. */
export function Decisions() {
  const search = useSearch({ from: '/decisions' });
  const mayAdminister = useMay('administer');
  const query = useQuery(decisionReport(search));
  const { isPlaceholderData: isStale } = query;
  return (
    <LoadedPage query={query} lines={20}>
      {({ items, total, at }) => (
        <>
          <PageHead
            title={isStale ? words.link : words.title(formatNumber(total), total)}
            lead={words.lead}
            actions={<ReportActions save={() => saveDecisions(search)} isReady={!isStale} />}
          />
          <Filters search={search} />
          <StaleContent isStale={isStale}>
            <Basis at={at} total={total}>
              {words.basis}
            </Basis>
            {items.length === 0 ? <Empty title={words.empty} /> : <Rows rows={items} />}
          </StaleContent>
          {mayAdminister ? <ForAllProjects /> : <p>{words.globalHidden}</p>}
          {search.project_id && <RulesOfProject projectId={search.project_id} />}
        </>
      )}
    </LoadedPage>
  );
}

function Filters({ search }: { search: DecisionsSearch }) {
  const navigate = useNavigate({ from: '/decisions' });
  const change = (next: Partial<DecisionsSearch>) =>
    void navigate({ search: { ...search, ...next } });
  return (
    <div className={report.filters}>
      <ProjectField
        label={text.findings.project}
        value={search.project_id ?? ''}
        empty={text.findings.allProjects}
        onChange={(project_id) => change({ project_id: project_id || undefined })}
      />
      <SelectField
        label={words.columns.what}
        value={search.decision ?? ''}
        choices={[
          ['', text.findings.further.any],
          ...decisionKinds.map((kind) => [kind, words.kinds[kind]] as const),
        ]}
        onChange={(decision) => change({ decision: decision || undefined })}
      />
    </div>
  );
}

function Rows({ rows }: { rows: readonly Decision[] }) {
  return (
    <div className={report.table}>
      <Table<Decision>
        label={words.label}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          when,
          { name: words.columns.about, cell: (one) => <About decision={one} /> },
          what,
          ...whyWhoUntil,
          { name: words.columns.where, cell: whereOf },
        ]}
      />
    </div>
  );
}

function About({ decision: { cve_id, package_name, project_id } }: { decision: Decision }) {
  const id = typeof cve_id === 'string' ? cve_id : null;
  return (
    <>
      {id ? (
        <Link to="/findings" search={{ project_id, cve_id: id, status: everyStatus }}>
          {id}
        </Link>
      ) : (
        words.unknown
      )}
      {package_name && <div>{package_name}</div>}
    </>
  );
}

/** The services by name, or the whole project. */
function whereOf({ service_ids, service_names, project_name }: Decision): string {
  const names = service_ids
    ? (service_names ?? []).map((name) => name ?? words.deletedService)
    : [words.wholeProject];
  return `${names.join(', ')} · ${project_name ?? ''}`;
}

function ForAllProjects() {
  return (
    <Loaded query={useQuery(globalDecisions())} lines={1}>
      {({ items, total }) =>
        items.length === 0 ? null : (
          <Section title={words.global}>
            <Table<Schemas['GlobalAcceptance']>
              label={words.global}
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { name: words.columns.about, cell: ({ cve_id }) => cve_id ?? words.unknown },
                when,
                what,
                ...whyWhoUntil,
              ]}
            />
            {total > items.length && (
              <p>{text.common.firstRows(formatNumber(items.length), formatNumber(total))}</p>
            )}
          </Section>
        )
      }
    </Loaded>
  );
}

function RulesOfProject({ projectId }: { projectId: string }) {
  return (
    <Loaded query={useQuery(decisionRules(projectId))} lines={1}>
      {({ items }) =>
        items.length === 0 ? null : (
          <Section title={text.rules.title(items.length)}>
            <Table<Schemas['DecisionRule']>
              label={text.rules.label}
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { name: text.rules.columns.name, cell: ({ name }) => <b>{name}</b> },
                { name: text.rules.columns.selects, cell: selects },
                when,
                what,
                ...whyWhoUntil,
                {
                  name: text.rules.columns.decides,
                  align: 'right',
                  cell: ({ decided }) => formatNumber(decided),
                },
              ]}
            />
          </Section>
        )
      }
    </Loaded>
  );
}
