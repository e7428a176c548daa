import type { ReactNode } from 'react';
import { Button } from '../../components/button';
import { DownloadButton } from '../../components/download-button';
import { formatInstant, formatNumber } from '../../components/format';
import { text } from '../../text/en';
import styles from './report.module.css';

/** The most rows on paper, some thirty pages; the CSV file has all. */
export const mostPrinted = 1_000;

interface ActionsProps {
  save: () => Promise<void>;
  /** Whether what is shown is what was asked for, so that it can be printed. */
  isReady?: boolean;
}

/** What can be done with a report: saved as a CSV file, printed. */
export function ReportActions({ save, isReady = true }: ActionsProps) {
  return (
    <>
      <DownloadButton save={save}>{text.report.csv}</DownloadButton>
      <Button kind="primary" unavailable={!isReady} onClick={() => print()}>
        {text.report.print}
      </Button>
    </>
  );
}

interface BasisProps {
  /** When the rows were read, in milliseconds. */
  at: number;
  /** How many rows there are, those that are not printed included. */
  total: number;
  children: ReactNode;
}

/** As of when a report is, what it is based on (`children`), and whether it is cut. */
export function Basis({ at, total, children }: BasisProps) {
  return (
    <p className={styles.basis}>
      {text.report.at(formatInstant(new Date(at).toISOString()))} {children}
      {total > mostPrinted && ` ${text.report.first(formatNumber(mostPrinted))}`}
    </p>
  );
}
