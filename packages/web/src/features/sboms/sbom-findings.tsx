import type { Schemas } from '../../api/client';
import { Empty } from '../../components/parts';
import { text } from '../../text/en';
import { FindingsTable } from './findings-table';
import { unknownFindings } from './unknown-findings';

/** The findings of one SBOM, the worst first. */
export function SbomFindings({ sbom }: { sbom: Schemas['SBOMDetailResponse'] }) {
  const found = sbom.vulnerabilities;
  const unknown = unknownFindings(sbom);
  if (unknown) return <Empty title={text.sbom.notYet}>{text.sbom.unknownWhy[unknown]}</Empty>;
  if (found.length === 0) {
    const why = sbom.advisory_data === 'none' ? text.findings.emptyWithoutData : text.sbom.cleanWhy;
    return <Empty title={text.sbom.clean}>{why}</Empty>;
  }
  return <FindingsTable label={text.findings.label} found={found} />;
}
