import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Generates the TypeScript of `proto/`: messages, service and client by buf.gen.yaml, and the
 * descriptors of server reflection, as one text. The first argument is the folder to write to;
 * default: src/generated.
 */
const home = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const folder = process.argv[2] ?? join(home, 'src/generated');
const bins = [join(home, 'node_modules/.bin'), join(home, '../../node_modules/.bin')];

function buf(...args) {
  const program = join(dirname(require.resolve('@bufbuild/buf/package.json')), 'bin/buf');
  return execFileSync(process.execPath, [program, ...args], {
    cwd: home,
    env: { ...process.env, PATH: [...bins, process.env.PATH].join(delimiter) },
  });
}

rmSync(folder, { recursive: true, force: true });
buf('generate', '--output', folder);
const health = join(dirname(require.resolve('grpc-health-check/package.json')), 'proto');
const asDescriptors = ['--as-file-descriptor-set', '--exclude-source-info', '-o', '-#format=binpb'];
// Two sets of files, one behind the other, are one set of both.
const descriptors = Buffer.concat(
  ['../../proto', health].map((protos) => buf('build', protos, ...asDescriptors)),
);
writeFileSync(
  join(folder, 'descriptors.ts'),
  `/** A google.protobuf.FileDescriptorSet of proto/ and of the health service, in base64. */
export const descriptors =
  '${descriptors.toString('base64')}';
`,
);
