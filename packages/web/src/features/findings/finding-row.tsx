import { memo } from 'react';
import { formatShare } from '../../components/format';
import { Ago, Tag } from '../../components/parts';
import { SeverityBadge } from '../../components/severity';
import { text } from '../../text/en';
import { Due } from './due';
import styles from './findings.module.css';
import type { Finding } from './findings-queries';
import type { Sort } from './findings-search';

interface HeadColumn {
  name: string;
  className: string;
  sort?: Sort;
}

/** The columns in order; the classes set their widths. */
export const columns: readonly HeadColumn[] = [
  { name: '', className: 'check' },
  { name: text.findings.columns.severity, className: 'severity', sort: 'cvss_score' },
  { name: text.findings.columns.id, className: 'id', sort: 'cve_id' },
  { name: text.findings.columns.package, className: 'package', sort: 'package_name' },
  { name: text.findings.columns.where, className: 'where' },
  { name: text.findings.columns.owner, className: 'owner' },
  { name: text.findings.columns.risk, className: 'risk', sort: 'risk' },
  { name: text.findings.columns.epss, className: 'epss', sort: 'epss_score' },
  { name: text.findings.columns.age, className: 'age', sort: 'first_seen_at' },
  { name: text.findings.columns.due, className: 'due' },
  { name: text.findings.columns.state, className: 'state' },
];

interface RowProps {
  /** The line of the list, from 0. */
  index: number;
  top: number;
  finding: Finding | undefined;
  isCurrent: boolean;
  isOpen: boolean;
  isSelected: boolean;
  onCursor: (row: number) => void;
  onOpen: (id: string) => void;
  /** `isRange`: with Shift, up to here from the row before. */
  onToggle: (row: number, finding: Finding, isRange: boolean) => void;
  /** Below a group: the level of a row in the tree. */
  level?: number;
}

/** One finding in a line; of a window that has not come yet, a line of the same height. */
export const FindingRow = memo(function FindingRow(props: RowProps) {
  const { index, top, finding, isCurrent, isOpen, isSelected } = props;
  const classes = [
    styles.row,
    isCurrent && styles.current,
    isOpen && styles.open,
    isSelected && styles.chosen,
  ];
  const className = classes.filter(Boolean).join(' ');
  const place = { transform: `translateY(${top}px)` };
  if (!finding) {
    return (
      <div role="row" aria-rowindex={index + 2} className={className} style={place}>
        <div role="gridcell" className={styles.wait} aria-label={text.common.loading} />
      </div>
    );
  }
  return (
    <div
      id={`finding-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-level={props.level}
      className={className}
      style={place}
      onClick={() => {
        props.onCursor(index);
        props.onOpen(finding.id);
      }}
    >
      <div role="gridcell" className={styles.check} onClick={(event) => event.stopPropagation()}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          onChange={({ nativeEvent }) => {
            props.onCursor(index);
            props.onToggle(
              index,
              finding,
              nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
            );
          }}
          aria-label={text.findings.selectOne(finding.cve_id)}
        />
      </div>
      <Cells finding={finding} />
    </div>
  );
});

function Cells({ finding }: { finding: Finding }) {
  const fix = finding.fixed_versions[0];
  return (
    <>
      <div role="gridcell" className={styles.severity}>
        <SeverityBadge severity={finding.severity} score={finding.cvss_score} />
      </div>
      <div role="gridcell" className={styles.id} title={finding.title ?? undefined}>
        <span className={styles.name}>{finding.cve_id}</span>
        {finding.kev && <Tag kind="bad">{text.findings.kev}</Tag>}
      </div>
      <div role="gridcell" className={styles.package} title={finding.purl ?? undefined}>
        <span className={styles.name}>{finding.package_name}</span>
        <span className={styles.version}>
          {finding.package_version}
          {fix ? <b> → {fix}</b> : <i> {text.findings.noFix}</i>}
        </span>
      </div>
      <div role="gridcell" className={styles.where}>
        <span className={styles.name}>{finding.service_name ?? text.common.projectLevel}</span>
        <span className={styles.soft}>{finding.project_name}</span>
      </div>
      <div role="gridcell" className={styles.owner} title={finding.owner ?? undefined}>
        {finding.owner ?? '–'}
      </div>
      <div role="gridcell" className={styles.risk}>
        {typeof finding.risk === 'number' ? Math.round(finding.risk) : '–'}
      </div>
      <div role="gridcell" className={styles.epss}>
        {typeof finding.epss_score === 'number' ? formatShare(finding.epss_score) : '–'}
      </div>
      <div role="gridcell" className={styles.age}>
        <Ago at={finding.first_seen_at} />
      </div>
      <div role="gridcell" className={styles.due}>
        {finding.due_at ? <Due at={finding.due_at} status={finding.status} /> : '–'}
      </div>
      <div role="gridcell" className={styles.state}>
        {finding.status !== 'open' && <Tag>{text.status[finding.status]}</Tag>}
        {finding.decision?.contradicted && <Tag kind="warn">{text.findings.contradicted}</Tag>}
      </div>
    </>
  );
}
