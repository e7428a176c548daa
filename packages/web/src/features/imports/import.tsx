import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { formatNumber, personName } from '../../components/format';
import { LoadedPage } from '../../components/loaded';
import { Ago, Facts, PageHead, Section } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { ImportStatus } from './import-status';
import { importById } from './imports-queries';
import { LeftOut } from './left-out';
import { Services } from './imported-services';

type Import = Schemas['Import'];

/** What one import brought, counted on both sides, and what it left out. */
export function ImportView() {
  const { importId } = useParams({ from: '/imports/$importId' });
  return (
    <LoadedPage query={useQuery(importById(importId))} lines={12}>
      {(one) => (
        <>
          <PageHead
            crumbs={
              <Link to="/settings/$section" params={{ section: 'imports' }} search={{}}>
                {text.settings.sections.imports}
              </Link>
            }
            title={text.imports.nameOf(one.source, one.source_version)}
            lead={text.imports.lead(one.status, one.totals)}
          />
          <Head one={one} />
          <BothSides totals={one.totals} />
          {one.totals.services > 0 && <Services one={one} />}
          <LeftOut one={one} />
        </>
      )}
    </LoadedPage>
  );
}

function Head({ one: { status, error, created_by, created_at, updated_at } }: { one: Import }) {
  const person = created_by?.person;
  const who = person ? personName(person) : (created_by?.name ?? created_by?.key_prefix);
  return (
    <Facts
      facts={[
        [text.imports.columns.status, <ImportStatus key="status" status={status} />],
        [text.imports.error, error],
        [text.imports.by, who],
        [text.imports.begun, <Ago key="begun" at={created_at} />],
        [text.imports.reported, <Ago key="reported" at={updated_at} />],
      ]}
    />
  );
}

function BothSides({ totals }: { totals: Import['totals'] }) {
  const rows = [
    [text.imports.columns.versions, totals.versions, totals.uploaded],
    [text.imports.columns.findings, totals.findings_there, totals.findings_here],
    [text.imports.columns.decisions, totals.analyses, totals.decided],
  ] as const;
  return (
    <Section title={text.imports.bothSides}>
      <Table
        label={text.imports.bothSides}
        rows={rows}
        keyOf={([name]) => name}
        columns={[
          { name: text.imports.columns.what, cell: ([name]) => name },
          {
            name: text.imports.columns.there,
            align: 'right',
            cell: ([, there]) => formatNumber(there),
          },
          {
            name: text.imports.columns.here,
            align: 'right',
            cell: ([, , here]) => formatNumber(here),
          },
        ]}
      />
      <p>{text.imports.whyDifferent}</p>
    </Section>
  );
}
