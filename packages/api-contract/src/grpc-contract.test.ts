import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** docs/rules.md U4: field numbers are frozen, whatever happens to names around them. */
test('the gRPC upload keeps its service, method, and field numbers', () => {
  const proto = readFileSync(join(__dirname, '../../../proto/sbom.proto'), 'utf8');
  expect(proto).toMatch(/^package sbom;$/m);
  expect(proto).toMatch(
    /service SBOMService \{[^}]*rpc UploadSBOM\(UploadSBOMRequest\) returns \(UploadSBOMResponse\);/,
  );
  expect(fieldsOf(proto, 'UploadSBOMRequest')).toEqual([
    'string project_id = 1',
    'string project_slug = 2',
    'string version = 3',
    'string service_name = 4',
    'string sbom_json = 5',
  ]);
  expect(fieldsOf(proto, 'UploadSBOMResponse')).toEqual([
    'string id = 1',
    'string format = 2',
    'int32 dependency_count = 3',
    'string sha256 = 4',
  ]);
});

function fieldsOf(proto: string, message: string): string[] {
  const [, body = ''] = new RegExp(`message ${message} \\{([^}]*)\\}`).exec(proto) ?? [];
  return [...body.matchAll(/^\s*(\w+ \w+ = \d+);$/gm)].map(([, field]) => String(field));
}
