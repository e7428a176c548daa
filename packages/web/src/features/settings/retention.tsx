import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useMayIn } from '../../app/own-rights';
import { Button } from '../../components/button';
import { formatNumber } from '../../components/format';
import { Loaded, StaleContent } from '../../components/loaded';
import { Pager } from '../../components/pager';
import { Empty } from '../../components/parts';
import { severities } from '../../components/severity-order';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { ProjectRules } from '../projects/project-rules';
import { projectsPage } from '../projects/projects-queries';
import styles from './settings.module.css';

type Project = Schemas['ProjectResponse'];

/** How soon each project fixes, and what it keeps. */
export function Retention() {
  const search = useSearch({ from: '/settings/$section' });
  const navigate = useNavigate({ from: '/settings/$section' });
  const query = useQuery({
    ...projectsPage({ page: search.page }),
    placeholderData: keepPreviousData,
  });
  const mayWrite = useMayIn('manage');
  const [changing, setChanging] = useState<Project | null>(null);
  return (
    <Loaded query={query} lines={6}>
      {({ items, total, total_pages }) =>
        total === 0 ? (
          <Empty title={text.projects.empty}>{text.projects.emptyWhy}</Empty>
        ) : (
          <StaleContent isStale={query.isPlaceholderData}>
            <Table
              label={text.settings.sections.retention}
              rows={items}
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
                { name: text.settings.levels, cell: levelsInWords },
                {
                  name: text.settings.keepLast,
                  cell: (project) => boundInWords(project, 'keep_last'),
                },
                {
                  name: text.settings.keepDays,
                  cell: (project) => boundInWords(project, 'keep_days'),
                },
                {
                  name: text.settings.change,
                  align: 'right',
                  cell: (project) =>
                    mayWrite(project.id) && (
                      <Button kind="quiet" onClick={() => setChanging(project)}>
                        {text.settings.change}
                        <span className="visually-hidden"> {project.name}</span>
                      </Button>
                    ),
                },
              ]}
            />
            <Pager
              page={Number(search.page ?? 1)}
              totalPages={total_pages}
              onPage={(next) => void navigate({ search: { page: String(next) } })}
            />
            <div className={styles.notes}>
              <p>{text.settings.combined}</p>
              <p>{text.settings.installation}</p>
            </div>
            {changing && <ProjectRules project={changing} onClose={() => setChanging(null)} />}
          </StaleContent>
        )
      }
    </Loaded>
  );
}

/** A retention of its own is one as a whole: where it has no bound, that of the installation does not count. */
function boundInWords({ retention }: Project, bound: 'keep_last' | 'keep_days'): string {
  if (!retention) return text.projects.rules.asInstalled;
  const value = retention[bound];
  if (typeof value === 'number') return formatNumber(value);
  const { keep_last, keep_days } = retention;
  const isUnbounded = (keep_last ?? keep_days ?? null) === null;
  return isUnbounded ? text.projects.rules.keepsAll : text.settings.noBound;
}

function levelsInWords({ service_levels }: Project): string {
  const limits = severities.flatMap((one) => {
    const days = service_levels?.[one];
    return days ? [text.settings.within(text.severity[one].toLowerCase(), days)] : [];
  });
  return limits.join(', ') || text.projects.rules.noLimit;
}
