import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { Section } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { reasonInWords } from './reason-in-words';

type Import = Schemas['Import'];

/** What belongs to no service: projects without an SBOM, and policies; nothing of it for who may not read all. */
export function LeftOut({ one }: { one: Import }) {
  return (
    <>
      <Skipped one={one} />
      <Policies one={one} />
    </>
  );
}

function Skipped({ one: { skipped, skipped_total } }: { one: Import }) {
  if (!skipped?.length || !skipped_total) return null;
  const { columns } = text.imports;
  const title = text.imports.skipped(formatNumber(skipped_total));
  return (
    <Section title={title}>
      <Table
        label={title}
        rows={skipped}
        keyOf={(_, index) => String(index)}
        columns={[
          { name: columns.project, cell: ({ name }) => name },
          { name: columns.version, secondary: true, cell: ({ version }) => version },
          { name: columns.why, cell: ({ reason }) => reasonInWords(reason) },
        ]}
      />
      {skipped.length < skipped_total && <p>{text.imports.more(formatNumber(skipped.length))}</p>}
    </Section>
  );
}

function Policies({ one: { policies } }: { one: Import }) {
  if (!policies?.length) return null;
  const { columns } = text.imports;
  return (
    <Section title={text.imports.policies}>
      <Table
        label={text.imports.policies}
        rows={policies}
        keyOf={(_, index) => String(index)}
        columns={[
          { name: columns.policy, cell: ({ policy }) => policy },
          {
            name: columns.setting,
            cell: ({ setting }) =>
              setting === null ? text.imports.noSetting : <code>{setting}</code>,
          },
          { name: columns.why, cell: ({ note }) => note },
        ]}
      />
    </Section>
  );
}
