import type { Digest } from './digest';

/**
 * What a test of a rule tells: one made-up vulnerability of the rule's own threshold, which says of
 * itself that it is none. Nobody may take it for a finding, whatever the channel shows of it; its ids
 * are none that a vulnerability can have.
 *
 * @param about whose it is, and the link that an alert would have
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
      },
    ],
  };
}
