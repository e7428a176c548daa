import { Button } from '../../components/button';
import { text } from '../../text/en';
import styles from './findings.module.css';

interface BulkBarProps {
  count: number;
  mayWrite: boolean;
  onAccept: () => void;
  onClear: () => void;
}

/** What can be done with the selected findings. */
export function BulkBar({ count, mayWrite, onAccept, onClear }: BulkBarProps) {
  return (
    <div className={styles.bulk} role="region" aria-label={text.findings.bulk}>
      <b>{text.findings.selected(count)}</b>
      {mayWrite ? (
        <Button kind="primary" title={text.findings.decideWhat} onClick={onAccept}>
          {text.findings.accept}
        </Button>
      ) : (
        <span>{text.findings.readOnly}</span>
      )}
      <Button kind="quiet" onClick={onClear}>
        {text.findings.unselect}
      </Button>
    </div>
  );
}
