import type { HostileInput } from '../hostile-input';
import {
  accepted,
  cycloneDx,
  document,
  invalid,
  malformed,
  npm,
  overGrpc,
  withComponents,
} from './documents';

const megabyte = 1_000_000;
const long = 'x'.repeat(megabyte);

const nested = (depth: number): Buffer => {
  const open = '{"type":"library","name":"a","components":[';
  return Buffer.from(cycloneDx(`"components":[${open.repeat(depth)}${']}'.repeat(depth)}]`));
};
const nestedField = (depth: number): Buffer =>
  Buffer.from(cycloneDx(`"x":${'['.repeat(depth)}${']'.repeat(depth)}`));
const withRaw = (name: string): Buffer =>
  Buffer.from(cycloneDx(`"components":[{"type":"library","name":"${name}","version":"1"}]`));
const halfPairs = (): Buffer =>
  Buffer.from(
    cycloneDx(
      String.raw`"components":[{"type":"library","name":"\ud800","version":"\udfff","purl":"pkg:npm/\ud800@\udfff"}]`,
    ),
  );

/** Each depends on the next one and on the root, the last one on the first. */
function ring(size: number): Buffer {
  const root = '{"type":"application","name":"root","bom-ref":"root"}';
  const dependencies = Array.from({ length: size }, (_, n) => ({
    ref: `r${n}`,
    dependsOn: [`r${(n + 1) % size}`, 'root', `r${n}`],
  }));
  const all = [{ ref: 'root', dependsOn: ['root', 'r0'] }, ...dependencies];
  const components = Array.from({ length: size }, (_, n) =>
    npm(`ring-${n}`, { 'bom-ref': `r${n}` }),
  );
  return withComponents(
    components,
    `,"metadata":{"component":${root}},"dependencies":${JSON.stringify(all)}`,
  );
}

const text = cycloneDx(`"components":[${JSON.stringify(npm('text'))}]`);

export const oddInputs: readonly HostileInput[] = [
  document('depth', 'components nested 10,000 deep', {
    file: () => nested(10_000),
    expected: invalid,
  }),
  overGrpc('depth', () => nested(10_000), 'grpc 3'),
  document('depth-field', 'an unknown field nested 10,000 deep', {
    file: () => nestedField(10_000),
    expected: accepted,
  }),
  document('strings', 'name, version, purl and licence of 1 MB each', {
    file: () =>
      withComponents([
        npm(`n${long}`, { licenses: [{ license: { name: long } }], 'bom-ref': long }),
        npm('v', { version: `1.${'0'.repeat(megabyte)}` }),
        npm('p', { purl: `pkg:npm/p@${'1.'.repeat(megabyte / 2)}0` }),
        npm('q', { purl: `pkg:npm/q@1?a=${long}` }),
        // One that is vulnerable: its purl stands in the lists, too.
        npm('g', { purl: `pkg:golang/github.com/dgrijalva/jwt-go@v3.2.0?a=${long}` }),
      ]),
    expected: accepted,
  }),
  document('names', '25 packages whose names have 1 MB each', {
    file: () => withComponents(Array.from({ length: 25 }, (_, n) => npm(`n${n}${long}`))),
    expected: accepted,
  }),
  document('name-20-mb', 'a package whose name and purl have 20 MB each', {
    file: () => withComponents([npm(long.repeat(20))]),
    expected: invalid,
  }),
  document('same-refs', '100,000 components with one bom-ref', {
    file: () =>
      withComponents(
        Array.from({ length: 100_000 }, (_, n) => npm(`same-${n}`, { 'bom-ref': 'same' })),
        ',"dependencies":[{"ref":"same","dependsOn":["same"]}]',
      ),
    expected: accepted,
  }),
  document('cycle', 'a circle of 50,000 dependencies, each on the root and on itself too', {
    file: () => ring(50_000),
    expected: accepted,
  }),
  document('numbers', 'numbers beyond 2^53 and beyond a double', {
    file: () =>
      Buffer.from(
        '{"bomFormat":"CycloneDX","specVersion":"1.5","version":1e999,' +
          `"x":[9007199254740993,1e999,-1e999,1e-999,${'9'.repeat(megabyte)}]}`,
      ),
    expected: accepted,
  }),
  document('surrogates', 'half surrogate pairs in name, version and purl', {
    file: halfPairs,
    expected: accepted,
  }),
  overGrpc('surrogates', halfPairs, 'grpc 0'),
  document('byte-order-mark', 'UTF-8 with a byte order mark', {
    file: () => Buffer.from(`\uFEFF${text}`),
    expected: accepted,
  }),
  document('utf-16', 'UTF-16 with a byte order mark', {
    file: () => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    expected: malformed,
  }),
  document('crlf', 'lines that end in CRLF', {
    file: () => Buffer.from(text.replaceAll(',', ',\r\n')),
    expected: accepted,
  }),
  document('nul', 'a NUL byte in a string', {
    file: () => withRaw('a\0b'),
    expected: malformed,
  }),
  document('nul-escaped', 'NUL characters, escaped, in a name', {
    file: () => withRaw(String.raw`a\u0000b`),
    expected: accepted,
  }),
  document('empty', 'an empty file', { file: () => Buffer.alloc(0), expected: malformed }),
  document('truncated', '30 MB of JSON, cut off', {
    file: () => Buffer.from(cycloneDx(`"x":"${'y'.repeat(30 * megabyte)}"`)).subarray(0, -1),
    expected: malformed,
  }),
  overGrpc('truncated', () => Buffer.from(text.slice(0, -1)), 'grpc 3'),
];
