import { useQuery } from '@tanstack/react-query';
import { reasonText } from '../../components/coverage';
import { ErrorNote } from '../../components/error-note';
import { Empty, Skeleton } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { undetermined } from './sbom-queries';

/** The components that could not be checked, each with the reason. */
export function Undetermined({ sbomId }: { sbomId: string }) {
  const { data, error } = useQuery(undetermined(sbomId));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={4} />;
  if (data.items.length === 0) {
    return data.coverage ? (
      <Empty title={text.coverage.all} />
    ) : (
      <Empty title={text.coverage.none}>{text.coverage.noneWhy}</Empty>
    );
  }
  return (
    <>
      <Table
        label={text.sbom.undetermined}
        rows={data.items}
        keyOf={({ name, version, purl, reason }) => `${name} ${version} ${purl ?? ''} ${reason}`}
        columns={[
          { name: text.sbom.columns.component, cell: ({ name, version }) => `${name} ${version}` },
          { name: text.sbom.columns.reason, cell: ({ reason }) => reasonText(reason) },
          { name: text.sbom.columns.purl, secondary: true, cell: ({ purl }) => purl ?? '–' },
        ]}
      />
      {data.has_more && <p>{text.sbom.moreUndetermined(data.items.length, data.total)}</p>}
    </>
  );
}
