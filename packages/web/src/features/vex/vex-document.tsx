import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { LoadedPage } from '../../components/loaded';
import { Facts, PageHead, Section, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { vexDocument } from './vex-queries';

type Document = Schemas['VexDocumentDetail'];
type Statement = Schemas['VexStatement'];

/** One VEX document: what it decided, and why the rest applies nowhere. */
export function VexDocumentView() {
  const { vexId } = useParams({ from: '/vex/$vexId' });
  return (
    <LoadedPage query={useQuery(vexDocument(vexId))} lines={10}>
      {(document) => (
        <>
          <PageHead
            title={document.document_id}
            lead={text.vexDocuments.lead(
              formatNumber(document.applied),
              formatNumber(document.statements),
              document.statements,
            )}
          />
          <Head document={document} />
          <Conflicts document={document} />
          <Statements document={document} />
        </>
      )}
    </LoadedPage>
  );
}

function Head({ document }: { document: Document }) {
  const { author, format, spec_version, version, feed, pending_services, not_applied } = document;
  const reasons = Object.entries(not_applied).sort(([, one], [, other]) => other - one);
  return (
    <Facts
      facts={[
        [text.vexDocuments.columns.author, author],
        [text.vexDocuments.columns.version, version],
        [text.vexDocuments.format, `${format} ${spec_version}`],
        [text.vexDocuments.source, feed ?? text.vexDocuments.imported],
        [text.vexDocuments.pending, pending_services > 0 ? formatNumber(pending_services) : null],
        [
          text.vexDocuments.notApplied,
          reasons.map(([reason, count]) => `${formatNumber(count)} ${inWords(reason)}`).join(' · '),
        ],
      ]}
    />
  );
}

/** Statements that another document contradicts; nothing without any. */
function Conflicts({ document: { conflicts, results } }: { document: Document }) {
  if (conflicts.length === 0) return null;
  return (
    <Section title={text.vexDocuments.conflicts(conflicts.length)}>
      <Table
        label={text.vexDocuments.conflictsLabel}
        rows={conflicts}
        keyOf={({ index, document_id, other_index }) => `${index} ${document_id} ${other_index}`}
        columns={[
          {
            name: text.vexDocuments.columns.statement,
            cell: ({ index }) => <Ids ids={results[index]?.vulnerability ?? [`#${index}`]} />,
          },
          { name: text.vexDocuments.columns.other, cell: ({ document_id }) => document_id },
          { name: text.vexDocuments.columns.says, cell: ({ status }) => statusInWords(status) },
          {
            name: text.vexDocuments.columns.counts,
            cell: ({ counts }) => (
              <Tag kind={counts ? 'good' : 'warn'}>
                {counts ? text.vexDocuments.this : text.vexDocuments.other}
              </Tag>
            ),
          },
          {
            name: text.vexDocuments.columns.services,
            align: 'right',
            secondary: true,
            cell: ({ services }) => formatNumber(services),
          },
        ]}
      />
    </Section>
  );
}

function Statements({ document: { results, statements } }: { document: Document }) {
  return (
    <Section title={text.vexDocuments.columns.statements}>
      <Table
        label={text.vexDocuments.columns.statements}
        rows={results}
        keyOf={({ index }) => String(index)}
        columns={[
          {
            name: text.vexDocuments.columns.vulnerability,
            cell: ({ vulnerability }) => <Ids ids={vulnerability} />,
          },
          { name: text.vexDocuments.columns.says, cell: ({ status }) => statusInWords(status) },
          {
            name: text.vexDocuments.columns.outcome,
            cell: (statement) => <Outcome {...statement} />,
          },
          {
            name: text.vexDocuments.columns.products,
            secondary: true,
            cell: ({ products }) => text.vexDocuments.some(products),
          },
        ]}
      />
      {results.length < statements && (
        <p>
          {text.vexDocuments.moreStatements(formatNumber(results.length), formatNumber(statements))}
        </p>
      )}
    </Section>
  );
}

function Ids({ ids }: { ids: readonly string[] }) {
  const [first, ...others] = ids;
  return (
    <>
      <Link to="/search" search={{ q: first ?? '' }}>
        <b>{first}</b>
      </Link>
      {others.length > 0 && ` ${others.join(', ')}`}
    </>
  );
}

function Outcome({ services, reason, decision }: Statement) {
  if (reason !== null) return <>{inWords(reason)}</>;
  const kind = decision === null ? text.vexDocuments.staysOpen : text.accept.kinds[decision];
  return (
    <>
      <Tag kind="good">{text.vexDocuments.inServices(formatNumber(services), services)}</Tag> {kind}
    </>
  );
}

/** A reason or status of a newer server has no words here. */
function inWords(reason: string): string {
  const reasons: Readonly<Record<string, string>> = text.vexDocuments.reasons;
  return reasons[reason] ?? reason;
}

function statusInWords(status: string | null): string {
  const statuses: Readonly<Record<string, string>> = text.vexDocuments.statuses;
  return status === null ? text.vexDocuments.gone : (statuses[status] ?? status);
}
