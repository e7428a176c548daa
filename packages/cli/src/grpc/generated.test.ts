import { readFileSync } from 'node:fs';
import path from 'node:path';

test('the gRPC client is that of proto/: run `npm run gen -w @bomtrail/gateway`', () => {
  const made = path.join(__dirname, '../../../../services/gateway/src/grpc/generated/sbom.ts');
  const own = readFileSync(path.join(__dirname, 'generated/sbom.ts'), 'utf8');
  expect(own).toBe(readFileSync(made, 'utf8'));
});
