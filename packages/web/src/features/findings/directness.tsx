import { text } from '../../text/en';
import { useHasGraph } from '../sboms/use-has-graph';
import type { FindingDetail } from './findings-queries';

/** Whether the software itself depends on the package, or that nobody knows. */
export function Directness({ finding }: { finding: FindingDetail }) {
  const hasGraph = useHasGraph(finding.sbom_id, finding.is_direct);
  if (!finding.is_direct) return text.panel.indirect;
  if (hasGraph === undefined) return '…';
  if (hasGraph === null) return text.panel.directUnread;
  return hasGraph ? text.panel.direct : text.panel.directUnknown;
}
