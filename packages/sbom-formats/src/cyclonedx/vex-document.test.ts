import type { JsonObject } from '../json';
import { accepted, component, cycloneDx, httpError } from '../testing/documents';

const root = { component: component('root', { purl: 'pkg:npm/root@1.0.0' }) };
const vulnerabilities = [{ id: 'CVE-2021-44228', analysis: { state: 'not_affected' } }];

test.each<[string, JsonObject]>([
  ['nothing else', {}],
  ['an empty list of components', { components: [] }],
  ['a root with a purl', { metadata: root }],
])('vulnerabilities and %s are a VEX document', (_what, rest) => {
  expect(httpError(cycloneDx({ vulnerabilities, ...rest }))).toEqual({
    code: 'vex_document',
    detail: expect.stringContaining('This is a VEX document') as string,
  });
});

test.each<[string, JsonObject, number]>([
  ['components', { components: [component('a')], vulnerabilities }, 1],
  [
    'parts of the root',
    {
      metadata: { component: component('root', { components: [component('a')] }) },
      vulnerabilities,
    },
    1,
  ],
  ['the root listed again', { metadata: root, components: [root.component], vulnerabilities }, 0],
  ['no vulnerabilities', { metadata: root, vulnerabilities: [] }, 0],
  ['nothing at all', {}, 0],
])('a document with %s is an SBOM', (_what, changes, count) => {
  expect(accepted(cycloneDx(changes)).dependencies).toHaveLength(count);
});

test('an invalid document is told what is invalid', () => {
  expect(httpError(cycloneDx({ vulnerabilities: [7] })).code).toBe('invalid_sbom');
});
