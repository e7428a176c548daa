import type { Api, ScanFinding } from '../load/api';
import type { CycloneDxComponent } from '../sboms/cyclonedx-document';
import { goVersionFarAbove } from '../sboms/go-version';
import type { SbomMaker } from '../sboms/variants';
import { requireVulnerabilities } from '../verify/check-sboms';
import type { Reference } from '../verify/reference';
import { untilScanned } from '../verify/until-scanned';
import { mostFindings, type FixableModule } from './release-plan';

const wait = { pauseMs: 50, timeoutMs: 60_000 };

/**
 * The modules of the base document with 1 to 3 findings that no other module has, all of them gone in a
 * version far above. The stack itself is asked, with two uploads to a service of the project.
 */
export async function findFixableModules(
  deps: { api: Api; sboms: SbomMaker; reference: Reference; signal: AbortSignal },
  projectId: string,
): Promise<FixableModule<CycloneDxComponent>[]> {
  const { api, sboms, reference } = deps;
  const scan = async (version: string, document: Buffer): Promise<readonly ScanFinding[]> => {
    const upload = { projectId, serviceName: 'fixable-modules', version, document };
    const sbom = await untilScanned(deps, await api.upload(upload), wait);
    if (document === sboms.base()) requireVulnerabilities(sbom, reference.vulnerabilities);
    return sbom.vulnerabilities;
  };
  const before = await scan('1.0.0', sboms.base());
  const candidates = sboms.modules.flatMap((module) => {
    const findings = before.filter((finding) => purlsOf(finding).includes(module.purl ?? ''));
    const areItsOwn = findings.every((finding) => purlsOf(finding).length === 1);
    const isFew = findings.length >= 1 && findings.length <= mostFindings;
    return isFew && areItsOwn ? [{ module, findings: findings.length }] : [];
  });
  const versions = new Map(
    candidates.map(({ module }) => [module, goVersionFarAbove(module.version ?? '', '') ?? '']),
  );
  const after = await scan('2.0.0', sboms.withVersions(versions));
  const left = new Set(after.flatMap(purlsOf).map(withoutVersion));
  return candidates.filter(({ module }) => !left.has(withoutVersion(module.purl ?? '')));
}

function purlsOf({ purl, occurrences = [{ purl }] }: ScanFinding): string[] {
  return occurrences.map((occurrence) => occurrence.purl);
}

function withoutVersion(purl: string): string {
  return purl.slice(0, purl.lastIndexOf('@'));
}
