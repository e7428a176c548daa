import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { Empty, Facts, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';

type Report = Schemas['SbomQuality'];

/** How complete the document is, and what it lacks. */
export function Quality({ quality }: { quality: Report | null | undefined }) {
  if (!quality) return <Empty title={text.quality.unknown}>{text.quality.unknownWhy}</Empty>;
  const score = (value: number): string => text.quality.of100(value);
  return (
    <>
      <Facts
        facts={[
          [text.quality.score, score(quality.score)],
          [text.quality.ntia, score(quality.ntia_score)],
          [text.quality.bsi, score(quality.bsi_score)],
        ]}
      />
      <Table
        label={text.quality.elements}
        rows={worstFirst(quality)}
        keyOf={({ element }) => element}
        columns={[
          { name: text.quality.columns.element, cell: ({ element }) => nameOf(element) },
          {
            name: text.quality.columns.state,
            cell: ({ reason }) =>
              reason === null ? <Tag kind="good">{text.quality.complete}</Tag> : reason,
          },
          {
            name: text.quality.columns.stated,
            align: 'right',
            secondary: true,
            cell: ({ present, total }) => `${formatNumber(present)} / ${formatNumber(total)}`,
          },
          {
            name: text.quality.columns.wanted,
            secondary: true,
            cell: ({ required_by }) => required_by.map((one) => one.toUpperCase()).join(', '),
          },
        ]}
      />
    </>
  );
}

function worstFirst({ elements }: Report): Report['elements'] {
  const share = ({ present, total }: Report['elements'][number]) =>
    total === 0 ? 0 : present / total;
  return [...elements].sort((one, other) => share(one) - share(other));
}

/** An element of a newer server has no words here. */
function nameOf(element: string): string {
  const names: Readonly<Record<string, string>> = text.quality.names;
  return names[element] ?? element;
}
