import type { AlertItem, Severity } from '@bomtrail/messages';
import type { Digest } from '../domain/digest';

/** A digest as one sees it in practice: some of it is old acquaintance, one title means no good. */
export function exampleDigest(): Digest {
  return {
    kind: 'alert',
    rule: {
      id: '3f0d8c1e-6a0b-4c63-9a51-2f2d6f0a7b10',
      threshold: 'low',
      channel: 'email',
      by_severity: true,
      kev: true,
      min_epss: null,
    },
    project: { id: 'b7f6a2f4-0c1d-4f0e-8f5a-6d2c9e1b3a77', name: 'Payments' },
    at: '2026-03-01T09:30:00.000Z',
    total: 14,
    counts: { critical: 3, high: 9, unknown: 2 },
    top: [
      item('critical', 10, {
        cve_id: 'CVE-2021-44228',
        title: 'Remote code injection in Log4j',
        package_name: 'org.apache.logging.log4j:log4j-core',
        package_version: '2.14.1',
        fixed_versions: ['2.3.1', '2.12.2', '2.15.0', '2.16.0'],
        service_name: 'payments-api',
        kev: { date_added: '2021-12-10', due_date: '2021-12-24', ransomware: true },
        reporting_deadlines: {
          early_warning: '2021-12-11T09:30:00.000Z',
          notification: '2021-12-13T09:30:00.000Z',
          final_report: '2021-12-24T09:30:00.000Z',
        },
      }),
      item('critical', 9.8, {
        cve_id: 'CVE-2022-22965',
        title: 'Remote code execution in Spring Framework',
        package_name: 'org.springframework:spring-beans',
        package_version: '5.3.17',
        fixed_versions: ['5.2.20', '5.3.18'],
        service_name: 'payments-api',
      }),
      item('critical', 9.1, {
        cve_id: 'CVE-2019-10744',
        title: 'Prototype pollution in lodash',
        package_name: 'lodash',
        package_version: '4.17.11',
        fixed_versions: ['4.17.12'],
        service_name: 'checkout-web',
      }),
      item('high', 8.8, {
        cve_id: 'GHSA-0000-0000-0001',
        title:
          '<!channel> @everyone <b>urgent</b>: [fix it](https://evil.example) <https://evil.example|now>',
        package_name: '*left*_pad_`',
        package_version: '1.0.0',
        fixed_versions: [],
        service_name: 'checkout-web',
      }),
      ...[1, 2, 3, 4, 5, 6].map((number) =>
        item('high', 7.5, {
          cve_id: `CVE-2024-1000${number}`,
          title: 'Denial of service by a regular expression',
          package_name: `@example/parser-${number}`,
          package_version: '2.0.0',
          fixed_versions: ['2.0.1'],
          service_name: 'reports',
        }),
      ),
    ],
    key: 'example',
    link: 'https://bomtrail.example/findings?project_id=b7f6a2f4-0c1d-4f0e-8f5a-6d2c9e1b3a77',
  };
}

type Named = Omit<
  AlertItem,
  'vulnerability_id' | 'severity' | 'cvss_score' | 'kev' | 'epss_score' | 'reporting_deadlines'
> &
  Partial<Pick<AlertItem, 'kev' | 'reporting_deadlines'>>;

function item(severity: Severity, cvss_score: number, item: Named): AlertItem {
  return {
    vulnerability_id: '5a2a3c8e-0000-4000-8000-000000000000',
    severity,
    cvss_score,
    kev: null,
    epss_score: null,
    reporting_deadlines: null,
    ...item,
  };
}
