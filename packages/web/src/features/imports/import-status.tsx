import type { Schemas } from '../../api/client';
import { Tag, type TagKind } from '../../components/parts';
import { text } from '../../text/en';

type Status = Schemas['ImportStatus'];

const kinds: Readonly<Record<Status, TagKind>> = {
  running: 'plain',
  finished: 'good',
  failed: 'bad',
  interrupted: 'warn',
};

/** Whether an import is complete. */
export function ImportStatus({ status }: { status: Status }) {
  return <Tag kind={kinds[status]}>{text.imports.statuses[status]}</Tag>;
}
