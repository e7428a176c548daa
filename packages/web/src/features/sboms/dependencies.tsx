import { useVirtualizer } from '@tanstack/react-virtual';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import { Field } from '../../components/field';
import { formatNumber } from '../../components/format';
import { Empty, Tag } from '../../components/parts';
import { text } from '../../text/en';
import { matchingDependencies } from './matching-dependencies';
import styles from './sboms.module.css';

/** All dependencies of an SBOM, searchable; only the visible lines exist. */
export function Dependencies({ sbom }: { sbom: Schemas['SBOMDetailResponse'] }) {
  const search = useSearch({ from: '/sboms/$sbomId' });
  const navigate = useNavigate({ from: '/sboms/$sbomId' });
  const [onlyVulnerable, setOnlyVulnerable] = useState(false);
  const words = useDeferredValue(search.q ?? '');
  const rows = useMemo(
    () => matchingDependencies(sbom, { words, onlyVulnerable }),
    [sbom, words, onlyVulnerable],
  );
  return (
    <div className={styles.stack}>
      <div className={styles.tools}>
        <Field label={text.sbom.search}>
          {(props) => (
            <input
              {...props}
              type="search"
              value={search.q ?? ''}
              onChange={({ target }) =>
                void navigate({
                  search: { ...search, q: target.value || undefined } as typeof search,
                  replace: true,
                })
              }
            />
          )}
        </Field>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={onlyVulnerable}
            onChange={({ target }) => setOnlyVulnerable(target.checked)}
          />
          {text.sbom.onlyVulnerable}
        </label>
        <span className={styles.faint}>{text.sbom.shown(formatNumber(rows.length))}</span>
      </div>
      {rows.length === 0 ? <Empty title={text.sbom.noDependencies} /> : <Lines rows={rows} />}
    </div>
  );
}

function Lines({ rows }: { rows: ReturnType<typeof matchingDependencies> }) {
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
                {dependency.is_direct && <Tag>{text.sbom.direct}</Tag>}
                {findings > 0 && <Tag kind="bad">{text.sbom.findings(findings)}</Tag>}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
