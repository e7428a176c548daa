import type { Schemas } from '../../api/client';
import { Tag } from '../../components/parts';
import { text } from '../../text/en';

interface ScanTagProps {
  /** undefined: a server of an earlier release does not say. */
  status: Schemas['ScanStatus'] | undefined;
}

/** That an SBOM is not scanned; nothing if it is. */
export function ScanTag({ status }: ScanTagProps) {
  if (status === 'pending') return <Tag kind="warn">{text.sbom.pending}</Tag>;
  if (status === 'failed') return <Tag kind="bad">{text.sbom.failed}</Tag>;
  return null;
}
