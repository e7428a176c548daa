import type { Schemas } from '../../api/client';
import { Tag } from '../../components/parts';
import { text } from '../../text/en';

type Status = Schemas['ImportStatus'];

const kinds: Readonly<Record<Status, 'plain' | 'good' | 'warn' | 'bad'>> = {
  running: 'plain',
  finished: 'good',
  failed: 'bad',
  interrupted: 'warn',
};

/** Whether an import is complete. */
export function ImportStatus({ status }: { status: Status }) {
  const names: Readonly<Record<string, string>> = text.imports.statuses;
  return <Tag kind={kinds[status] ?? 'plain'}>{names[status] ?? status}</Tag>;
}
