import { Ago, Tag } from '../../components/parts';
import { text } from '../../text/en';
import type { Finding } from './findings-queries';

/** When a finding is to be fixed by the service levels of its project; only an open one is overdue. */
export function Due({ at, status }: { at: string; status: Finding['status'] }) {
  return status === 'open' && Date.parse(at) < Date.now() ? (
    <Tag kind="warn">
      {text.findings.overdue} <Ago at={at} />
    </Tag>
  ) : (
    <Ago at={at} />
  );
}
