import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { Loaded } from '../../components/loaded';
import { Pager } from '../../components/pager';
import { Section } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { importedServices } from './imports-queries';
import { reasonInWords } from './reason-in-words';

type Service = Schemas['ImportedService'];

/** What an import brought to each service, and why not all of it. */
export function Services({ one: { id, totals, updated_at } }: { one: Schemas['Import'] }) {
  const [page, setPage] = useState(1);
  const query = useQuery(importedServices(id, page, updated_at));
  return (
    <Section title={text.projects.services(formatNumber(totals.services), totals.services)}>
      <Loaded query={query} lines={6}>
        {({ items, total_pages }) => (
          <>
            <Counts rows={items} />
            <Pager page={page} totalPages={total_pages} onPage={setPage} />
            <NotImported rows={items} isAll={total_pages <= 1} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Counts({ rows }: { rows: readonly Service[] }) {
  const { columns, of, both } = text.imports;
  return (
    <Table
      label={text.projects.servicesLabel}
      rows={rows}
      keyOf={({ project_id, service }) => `${project_id} ${service}`}
      columns={[
        { name: columns.project, cell: (one) => <ProjectLink {...one} /> },
        { name: columns.service, cell: ({ service }) => service },
        {
          name: columns.versions,
          align: 'right',
          cell: ({ uploaded, versions }) => of(uploaded, versions),
        },
        {
          name: columns.findings,
          align: 'right',
          secondary: true,
          cell: ({ findings_here, findings_there }) => both(findings_here, findings_there),
        },
        {
          name: columns.decisions,
          align: 'right',
          secondary: true,
          cell: ({ decided, analyses }) => both(decided, analyses),
        },
      ]}
    />
  );
}

interface NotImportedProps {
  rows: readonly Service[];
  /** Whether the import has no other services. */
  isAll: boolean;
}

/** Versions and analyses of these services that are not here, each with its reason; nothing if all are. */
function NotImported({ rows, isAll }: NotImportedProps) {
  const refused = rows.flatMap((one) =>
    one.refused.map(({ version, reason }) => ({
      service: one.service,
      what: text.imports.version(version),
      why: reason,
    })),
  );
  const unmatched = rows.flatMap((one) =>
    one.unmatched.map(({ vulnerability, component, reason }) => ({
      service: one.service,
      what: text.imports.analysis(vulnerability, component),
      why: reasonInWords(reason),
    })),
  );
  const all = [...refused, ...unmatched];
  const total = rows.reduce((sum, one) => sum + one.refused_total + one.unmatched_total, 0);
  if (all.length === 0) return null;
  const { columns, notImported, notImportedHere } = text.imports;
  const title = (isAll ? notImported : notImportedHere)(formatNumber(total));
  return (
    <>
      <h3>{title}</h3>
      <Table
        label={title}
        rows={all}
        keyOf={(_, index) => String(index)}
        columns={[
          { name: columns.what, cell: ({ what }) => what },
          { name: columns.service, secondary: true, cell: ({ service }) => service },
          { name: columns.why, cell: ({ why }) => why },
        ]}
      />
      {all.length < total && <p>{text.imports.more(formatNumber(all.length))}</p>}
    </>
  );
}

function ProjectLink({ project_name, project_slug }: Service) {
  return (
    <Link to="/projects/$slug" params={{ slug: project_slug }}>
      {project_name}
    </Link>
  );
}
