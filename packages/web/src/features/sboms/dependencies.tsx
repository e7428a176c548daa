import { useVirtualizer } from '@tanstack/react-virtual';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useRef } from 'react';
import type { Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { TextField } from '../../components/fields';
import { formatNumber } from '../../components/format';
import { Empty, Tag } from '../../components/parts';
import { text } from '../../text/en';
import { DependencyPaths } from './dependency-paths';
import { DependencyTree } from './dependency-tree';
import { matchingDependencies } from './matching-dependencies';
import type { SbomSearch } from './sbom-search';
import styles from './sboms.module.css';
import { useHasGraph } from './use-has-graph';

/** All dependencies of an SBOM, searchable; only the visible lines exist. */
export function Dependencies({ sbom }: { sbom: Schemas['SBOMDetailResponse'] }) {
  const search = useSearch({ from: '/sboms/$sbomId' });
  const navigate = useNavigate({ from: '/sboms/$sbomId' });
  const onlyVulnerable = search.vulnerable === 'true';
  const isTree = search.view === 'tree';
  const words = useDeferredValue(search.q ?? '');
  const rows = useMemo(
    () => matchingDependencies(sbom, { words, onlyVulnerable }),
    [sbom, words, onlyVulnerable],
  );
  const change = (next: { [Name in keyof SbomSearch]: SbomSearch[Name] | undefined }) =>
    void navigate({ search: { ...search, ...next } as SbomSearch, replace: true });
  /** Only such a list may come of a document without a graph. */
  const isAllDirect =
    !isTree && rows.length > 0 && sbom.dependencies.every(({ is_direct }) => is_direct);
  const hasGraph = useHasGraph(sbom.id, isAllDirect);
  const knowsDirect = !isAllDirect || hasGraph === true;
  const chosen = sbom.dependencies.find(({ purl }) => purl !== null && purl === search.why);
  return (
    <div className={styles.stack}>
      <div className={styles.tools}>
        <TextField
          label={text.sbom.search}
          type="search"
          value={search.q ?? ''}
          onChange={(q) => change({ q: q || undefined })}
        />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={onlyVulnerable}
            onChange={({ target }) => change({ vulnerable: target.checked ? 'true' : undefined })}
          />
          {text.sbom.onlyVulnerable}
        </label>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={isTree}
            onChange={({ target }) => change({ view: target.checked ? 'tree' : undefined })}
          />
          {text.sbom.asTree}
        </label>
        {!isTree && (
          <span className={styles.faint}>{text.sbom.shown(formatNumber(rows.length))}</span>
        )}
      </div>
      {chosen?.purl && (
        <section className={styles.why}>
          <h3>{text.paths.titleOf(`${chosen.name} ${chosen.version}`)}</h3>
          <DependencyPaths sbomId={sbom.id} purl={chosen.purl} />
          <Button kind="quiet" onClick={() => change({ why: undefined })}>
            {text.common.close}
          </Button>
        </section>
      )}
      {isTree ? (
        <DependencyTree
          key={`${words} ${onlyVulnerable}`}
          sbom={sbom}
          q={words}
          vulnerable={onlyVulnerable}
          onWhy={(why) => change({ why })}
          onList={() => change({ view: undefined })}
        />
      ) : rows.length === 0 ? (
        <Empty title={text.sbom.noDependencies} />
      ) : (
        <>
          {isAllDirect && hasGraph === false && <p>{text.paths.noGraphLines}</p>}
          {isAllDirect && hasGraph === null && <p>{text.paths.graphUnread}</p>}
          <Lines rows={rows} knowsDirect={knowsDirect} onWhy={(why) => change({ why })} />
        </>
      )}
    </div>
  );
}

interface LinesProps {
  rows: ReturnType<typeof matchingDependencies>;
  /** Without a graph all are direct, which says nothing, and it may be unknown whether there is one. */
  knowsDirect: boolean;
  onWhy: (purl: string) => void;
}

function Lines({ rows, knowsDirect, onWhy }: LinesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 32,
    overscan: 10,
  });
  return (
    <div
      ref={frame}
      className={styles.lines}
      tabIndex={0}
      role="list"
      aria-label={text.sbom.dependencies}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const { dependency, findings } = row;
          return (
            <div
              key={index}
              role="listitem"
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className={styles.line}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={styles.name} title={dependency.purl ?? undefined}>
                <b>{dependency.name}</b> {dependency.version}
              </span>
              <span className={styles.licence}>{dependency.license}</span>
              <span className={styles.tags}>
                {dependency.is_direct
                  ? knowsDirect && <Tag>{text.sbom.direct}</Tag>
                  : dependency.purl && (
                      <button type="button" onClick={() => onWhy(dependency.purl ?? '')}>
                        {text.paths.why}
                      </button>
                    )}
                {findings > 0 && <Tag kind="bad">{text.sbom.findings(findings)}</Tag>}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
