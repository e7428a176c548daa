import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNote } from '../../components/error-note';
import { Empty, Skeleton } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { projectChoices } from '../projects/projects-queries';

/** What each project keeps. */
export function Retention() {
  const { data, error } = useQuery(projectChoices());
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={6} />;
  if (data.items.length === 0)
    return <Empty title={text.projects.empty}>{text.projects.emptyWhy}</Empty>;
  return (
    <Table
      label={text.settings.sections.retention}
      rows={data.items}
      keyOf={({ id }) => id}
      columns={[
        {
          name: text.projects.columns.name,
          cell: ({ slug, name }) => (
            <Link to="/projects/$slug" params={{ slug }}>
              {name}
            </Link>
          ),
        },
        {
          name: text.settings.keepLast,
          cell: ({ retention }) => retention?.keep_last ?? text.settings.asInstalled,
        },
        {
          name: text.settings.keepDays,
          cell: ({ retention }) => retention?.keep_days ?? text.settings.asInstalled,
        },
      ]}
    />
  );
}
