import { Ago, Tag } from '../../components/parts';
import { text } from '../../text/en';
import type { Finding } from './findings-queries';

interface DueProps {
  at: string;
  status: Finding['status'];
}

/** Only an open finding can be overdue. */
export function isOverdue({ at, status }: DueProps): boolean {
  return status === 'open' && Date.parse(at) < Date.now();
}

/** When a finding is to be fixed by the service levels of its project. */
export function Due({ at, status }: DueProps) {
  return isOverdue({ at, status }) ? (
    <Tag kind="warn">
      {text.findings.overdue} <Ago at={at} />
    </Tag>
  ) : (
    <Ago at={at} />
  );
}
