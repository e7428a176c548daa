import type { Digest } from './digest';

/**
 * Content of a test message: one fictitious vulnerability of the rule's threshold, clearly marked
 * as a sample in every field, with ids that no vulnerability can have.
 *
 * @param about rule, project and link
 */
export function sampleDigest(about: Pick<Digest, 'rule' | 'project' | 'at' | 'link'>): Digest {
  const severity = about.rule.threshold;
  return {
    ...about,
    kind: 'test',
    total: 1,
    counts: { [severity]: 1 },
    top: [
      {
        vulnerability_id: '00000000-0000-0000-0000-000000000000',
        severity,
        cvss_score: null,
        cve_id: 'CVE-0000-0000',
        title: 'A sample: nothing was found',
        package_name: 'sample-package',
        package_version: '1.0.0',
        fixed_versions: ['1.0.1'],
        service_name: 'sample-service',
        kev: null,
        epss_score: null,
        reporting_deadlines: null,
      },
    ],
  };
}
