import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** docs/rules.md U4: field numbers are frozen, whatever happens to names around them. */
const proto = readFileSync(join(__dirname, '../../../proto/sbom.proto'), 'utf8');

const target = [
  'string project_id = 1',
  'string project_slug = 2',
  'string version = 3',
  'string service_name = 4',
  'string sbom_json = 5',
];

test('the gRPC service keeps its name and methods', () => {
  expect(proto).toMatch(/^package sbom;$/m);
  const [, service] = /service SBOMService \{([^}]*)\}/.exec(proto) ?? [];
  expect(service?.match(/^ *rpc .*;$/gm)?.map((line) => line.trim())).toEqual([
    'rpc UploadSBOM(UploadSBOMRequest) returns (UploadSBOMResponse);',
    'rpc CheckSBOM(CheckSBOMRequest) returns (CheckSBOMResponse);',
  ]);
});

test.each<[string, string[]]>([
  ['UploadSBOMRequest', target],
  [
    'UploadSBOMResponse',
    ['string id = 1', 'string format = 2', 'int32 dependency_count = 3', 'string sha256 = 4'],
  ],
  [
    'CheckSBOMRequest',
    [
      ...target,
      'string fail_on = 6',
      'bool only_new = 7',
      'bool fail_on_kev = 8',
      'optional double max_epss = 9',
      'bool only_fixable = 10',
      'string baseline = 11',
      'bool fail_on_license = 12',
      'optional int32 min_quality = 13',
    ],
  ],
  [
    'CheckSBOMResponse',
    [
      'string verdict = 1',
      'repeated Remark reasons = 2',
      'repeated Remark caveats = 3',
      'string format = 4',
      'string spec_version = 5',
      'int32 dependency_count = 6',
      'string sha256 = 7',
      'string project_id = 8',
      'string service_id = 9',
      'string service_name = 10',
      'string version = 11',
      'Baseline baseline = 12',
      'SeverityCounts counts = 13',
      'SeverityCounts new_counts = 14',
      'DecisionCounts decided = 15',
      'Coverage coverage = 16',
      'string advisory_data = 17',
      'int32 failing_total = 18',
      'repeated CheckedVulnerability failing = 19',
      'int32 total = 20',
      'bytes vulnerabilities_json_gzip = 21',
      'LicenseJudgement licenses = 22',
      'SbomQuality quality = 23',
    ],
  ],
])('%s keeps its field numbers', (message, fields) => {
  expect(fieldsOf(proto, message)).toEqual(fields);
});

function fieldsOf(proto: string, message: string): string[] {
  const [, body = ''] = new RegExp(`message ${message} \\{([^}]*)\\}`).exec(proto) ?? [];
  return [...body.matchAll(/^\s*([\w ]+ = \d+);$/gm)].map(([, field]) => String(field));
}
