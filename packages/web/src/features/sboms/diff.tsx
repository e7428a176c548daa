import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { Empty, Page, PageHead, Section, Skeleton } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { changedFindings } from './changed-findings';
import { FindingsTable } from './findings-table';
import { sbomDetail, sbomDiff } from './sbom-queries';
import { unknownFindings } from './unknown-findings';

/** Two SBOMs side by side: packages, and what that did to the findings. */
export function DiffView() {
  const { sbomId, otherId } = useParams({ from: '/sboms/$sbomId/diff/$otherId' });
  const diff = useQuery(sbomDiff(sbomId, otherId));
  const from = useQuery(sbomDetail(sbomId));
  const to = useQuery(sbomDetail(otherId));
  const error = diff.error ?? from.error ?? to.error;
  if (error) {
    return (
      <Page>
        <ErrorNote error={error} onRetry={() => void diff.refetch()} />
      </Page>
    );
  }
  if (!diff.data || !from.data || !to.data) {
    return (
      <Page>
        <Skeleton lines={12} />
      </Page>
    );
  }
  const { added, removed, changed } = diff.data;
  const { opened, gone } = changedFindings(from.data.vulnerabilities, to.data.vulnerabilities);
  // The findings of one that is not scanned are an empty list: all would be gone, or new.
  const unscanned = [from.data, to.data].find((one) => unknownFindings(one) !== null);
  return (
    <Page>
      <PageHead
        crumbs={
          <>
            <Link to="/sboms/$sbomId" params={{ sbomId }}>
              {from.data.version ?? text.panel.sbom}
            </Link>
            {' → '}
            <Link to="/sboms/$sbomId" params={{ sbomId: otherId }}>
              {to.data.version ?? text.panel.sbom}
            </Link>
          </>
        }
        title={text.diff.title(to.data.service_name ?? text.common.projectLevel, {
          added: added.length,
          removed: removed.length,
          changed: changed.length,
        })}
        lead={
          unscanned
            ? text.diff.unknown(unscanned.version ?? text.panel.sbom)
            : text.diff.lead(opened.length, gone.length, from.data.version ?? text.diff.theOther)
        }
      />
      {!unscanned && (
        <>
          <Findings title={text.diff.opened(opened.length)} found={opened} />
          <Findings title={text.diff.gone(gone.length)} found={gone} />
        </>
      )}
      <Packages title={text.diff.changed(changed.length)} rows={changed.map(changeLine)} />
      <Packages title={text.diff.added(added.length)} rows={added.map(packageLine)} />
      <Packages title={text.diff.removed(removed.length)} rows={removed.map(packageLine)} />
    </Page>
  );
}

type Line = { name: string; versions: string };

function changeLine({ name, from_version, to_version }: Schemas['DiffChange']): Line {
  return { name, versions: `${from_version} → ${to_version}` };
}

function packageLine({ name, version }: Schemas['DiffPackage']): Line {
  return { name, versions: version };
}

function Packages({ title, rows }: { title: string; rows: readonly Line[] }) {
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <Table
        label={title}
        rows={rows}
        most={500}
        keyOf={({ name, versions }) => `${name} ${versions}`}
        columns={[
          { name: text.diff.columns.package, cell: ({ name }) => <b>{name}</b> },
          { name: text.diff.columns.versions, cell: ({ versions }) => versions },
        ]}
      />
    </Section>
  );
}

function Findings({
  title,
  found,
}: {
  title: string;
  found: readonly Schemas['BriefVulnerability'][];
}) {
  return (
    <Section title={title}>
      {found.length === 0 ? (
        <Empty title={text.diff.noFindings} />
      ) : (
        <FindingsTable label={title} found={found} />
      )}
    </Section>
  );
}
