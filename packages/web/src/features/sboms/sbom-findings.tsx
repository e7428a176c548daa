import type { Schemas } from '../../api/client';
import { Empty } from '../../components/parts';
import { text } from '../../text/en';
import { FindingsTable } from './findings-table';

/** The findings of one SBOM, the worst first. */
export function SbomFindings({ sbom }: { sbom: Schemas['SBOMDetailResponse'] }) {
  const found = sbom.vulnerabilities;
  if (found.length === 0) {
    const why = sbom.advisory_data === 'none' ? text.findings.emptyWithoutData : text.sbom.cleanWhy;
    return (
      <Empty title={sbom.scan_status === 'scanned' ? text.sbom.clean : text.sbom.notYet}>
        {why}
      </Empty>
    );
  }
  return <FindingsTable label={text.findings.label} found={found} />;
}
