import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../components/format';
import { Tag } from '../../components/parts';
import { severities } from '../../components/severity-order';
import { SeverityBar } from '../../components/severity';
import { text } from '../../text/en';
import styles from './findings.module.css';
import groupStyles from './groups.module.css';
import type { FindingsSearch, Grouping } from './findings-search';
import { nameOfGroup, type Group } from './groups';

interface GroupRowProps {
  by: Grouping;
  /** undefined: its window is on its way. */
  group: Group | undefined;
  /** The line of the list, from 0. */
  index: number;
  top: number;
  isOpen: boolean;
  isCurrent: boolean;
  /** The plain list of what the group counts; null: no filter says this. */
  narrowed: FindingsSearch | null;
  onOpen: () => void;
  onSelect: () => void;
}

/** One group in a line: what its findings have in common, how many, how bad, how many can be fixed. */
export function GroupRow(props: GroupRowProps) {
  const { by, group, index, isOpen, isCurrent, narrowed } = props;
  const className = [styles.row, groupStyles.group, isCurrent && styles.current]
    .filter(Boolean)
    .join(' ');
  const place = { transform: `translateY(${props.top}px)` };
  if (!group) {
    return (
      <div role="row" aria-rowindex={index + 1} className={className} style={place}>
        <div role="gridcell" className={styles.wait} aria-label={text.common.loading} />
      </div>
    );
  }
  const { name, beside } = nameOfGroup(group, by);
  return (
    <div
      id={`finding-${index}`}
      role="row"
      aria-level={1}
      aria-expanded={narrowed ? isOpen : undefined}
      aria-rowindex={index + 1}
      className={className}
      style={place}
      onClick={props.onOpen}
    >
      <div role="gridcell" className={groupStyles.sign} aria-hidden="true">
        {narrowed ? (isOpen ? '▾' : '▸') : ''}
      </div>
      <div role="gridcell" className={groupStyles.name}>
        <b title={name}>{name}</b>
        {group.kev > 0 && <Tag kind="bad">{text.findings.kev}</Tag>}
        {beside && <span title={beside}>{beside}</span>}
      </div>
      <div role="gridcell" className={groupStyles.bar} title={countsInWords(group)}>
        <SeverityBar counts={group.counts} />
        <span className="visually-hidden">{countsInWords(group)}</span>
      </div>
      <div role="gridcell" className={groupStyles.fixable}>
        {text.findings.fixable(group.fixable, group.total)}
      </div>
      <div role="gridcell" className={styles.risk}>
        {group.highest_risk !== null && text.findings.groupRisk(Math.round(group.highest_risk))}
      </div>
      <div
        role="gridcell"
        className={groupStyles.total}
        onClick={(event) => event.stopPropagation()}
      >
        {narrowed ? (
          <Link to="/findings" search={narrowed}>
            {text.findings.title(formatNumber(group.total), group.total)}
          </Link>
        ) : (
          text.findings.title(formatNumber(group.total), group.total)
        )}
      </div>
      <div
        role="gridcell"
        className={groupStyles.select}
        onClick={(event) => event.stopPropagation()}
      >
        {narrowed && (
          <button type="button" tabIndex={-1} onClick={props.onSelect}>
            {text.findings.selectGroup}
            <span className="visually-hidden"> {name}</span>
          </button>
        )}
      </div>
    </div>
  );
}

function countsInWords({ counts }: Group): string {
  return severities
    .filter((one) => counts[one] > 0)
    .map((one) => `${formatNumber(counts[one])} ${text.severity[one].toLowerCase()}`)
    .join(', ');
}
