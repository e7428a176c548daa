import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { Empty, Tag } from '../../components/parts';
import { text } from '../../text/en';
import styles from './dependency-tree.module.css';
import { openFindings } from './matching-dependencies';
import { canOpen, treeMove, type TreeLine } from './tree-lines';
import { useTree, type Tree } from './use-tree';

const lineHeight = 32;

interface DependencyTreeProps {
  sbom: Schemas['SBOMDetailResponse'];
  q: string;
  vulnerable: boolean;
  onWhy: (purl: string) => void;
  onList: () => void;
}

/** What depends on what, by the document's own graph; only the visible lines exist. */
export function DependencyTree({ sbom, q, vulnerable, onWhy, onList }: DependencyTreeProps) {
  const tree = useTree({ sbomId: sbom.id, q, vulnerable });
  if (tree.error) return <ErrorNote error={tree.error} onRetry={tree.retry} />;
  if (tree.hasGraph === false) {
    return (
      <Empty title={text.paths.noGraph}>
        <p>{text.paths.noGraphWhy}</p>
        <Button onClick={onList}>{text.paths.asList}</Button>
      </Empty>
    );
  }
  if (tree.lines.length === 0) return <Empty title={text.sbom.noDependencies} />;
  return <Lines tree={tree} findings={openFindings(sbom.vulnerabilities)} onWhy={onWhy} />;
}

interface LinesProps {
  tree: Tree;
  findings: (name: string, version: string) => number;
  onWhy: (purl: string) => void;
}

function Lines({ tree, findings, onWhy }: LinesProps) {
  const { lines } = tree;
  const frame = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState(0);
  const at = Math.min(cursor, lines.length - 1);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    overscan: 10,
  });
  useEffect(() => virtual.scrollToIndex(at), [at, virtual]);
  const act = (line: TreeLine | undefined) => {
    if (line?.kind === 'more') tree.more(line.parent);
    if (line?.kind === 'node' && canOpen(line)) tree.set(line.key, !line.isOpen);
  };
  const press = (event: KeyboardEvent) => {
    const line = lines[at];
    if (event.key === 'Enter' || event.key === ' ') act(line);
    else if (event.key === 'w' && line?.kind === 'node' && line.node.purl) onWhy(line.node.purl);
    else {
      const move = treeMove(lines, at, event.key);
      if (!move) return;
      setCursor(move.to);
      if (move.set) tree.set(move.set.key, move.set.isOpen);
    }
    event.preventDefault();
  };
  return (
    <div
      ref={frame}
      className={styles.tree}
      role="tree"
      tabIndex={0}
      aria-label={text.sbom.tree}
      aria-activedescendant={`dependency-${at}`}
      onKeyDown={press}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (!line) return null;
          const place = { transform: `translateY(${start}px)`, paddingLeft: 12 + line.depth * 16 };
          return (
            <div
              key={line.key}
              id={`dependency-${index}`}
              className={index === at ? `${styles.line} ${styles.current}` : styles.line}
              style={place}
              role="treeitem"
              aria-level={line.depth}
              aria-selected={index === at}
              {...(line.kind === 'node'
                ? { 'aria-posinset': line.place, 'aria-setsize': line.size }
                : {})}
              {...(line.kind === 'node' && canOpen(line) ? { 'aria-expanded': line.isOpen } : {})}
              onClick={() => {
                setCursor(index);
                act(line);
              }}
            >
              <Line line={line} findings={findings} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Line({ line, findings }: { line: TreeLine; findings: LinesProps['findings'] }) {
  if (line.kind === 'wait') return <span className={styles.faint}>{text.common.loading}</span>;
  if (line.kind === 'more')
    return <span className={styles.more}>{text.sbom.moreOfLevel(formatNumber(line.left))}</span>;
  const { node, isAgain, isOpen } = line;
  const open = findings(node.name, node.version);
  const sign = isOpen ? '▾' : '▸';
  return (
    <>
      <span className={styles.sign} aria-hidden="true">
        {canOpen(line) ? sign : ''}
      </span>
      <span
        className={node.matches ? styles.name : `${styles.name} ${styles.faint}`}
        title={node.purl ?? undefined}
      >
        <b>{node.name}</b> {node.version}
      </span>
      {isAgain && <span className={styles.faint}>{text.sbom.again}</span>}
      {open > 0 && <Tag kind="bad">{text.sbom.findings(open)}</Tag>}
    </>
  );
}
