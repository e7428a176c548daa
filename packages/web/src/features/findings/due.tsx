import { Ago, Tag } from '../../components/parts';
import { text } from '../../text/en';

/** When a finding is to be fixed by the service levels of its project. */
export function Due({ at }: { at: string }) {
  return Date.parse(at) < Date.now() ? (
    <Tag kind="warn">
      {text.findings.overdue} <Ago at={at} />
    </Tag>
  ) : (
    <Ago at={at} />
  );
}
