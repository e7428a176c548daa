import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { parse, stringify } from 'yaml';

const source = readFileSync(join(__dirname, '../openapi.yaml'), 'utf8');
const { 'x-other-responses': others } = parse(source) as {
  'x-other-responses': Record<string, { $ref: string }>;
};
/** References in `x-other-responses` are none to the linter. */
const used = Object.values(others).map(({ $ref }) => $ref);

/** What breaks OpenAPI 3.1, or a rule of the linter's strict set: its rule and its place. */
async function faults(document: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // The operational endpoints take nothing that could be wrong.
    rules: { 'operation-4xx-response': 'off' },
  });
  const problems = await lintFromString({ source: document, config });
  return problems
    .map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer ?? '' }))
    .filter(({ ruleId, at }) => ruleId !== 'no-unused-components' || !used.includes(at))
    .map(({ ruleId, message, at }) => `${ruleId} ${at}: ${message}`);
}

test('the contract is sound OpenAPI 3.1: structure, references, examples, security, parameters', async () => {
  expect(await faults(source)).toEqual([]);
});

test.each<[what: string, rule: string, breakIt: (document: Broken) => void]>([
  ['an unknown field', 'struct', ({ info }) => (info.versoin = '1')],
  ['a reference to nothing', 'no-unresolved-refs', ({ paths }) => (paths['/x'] = { $ref: '#/y' })],
  [
    'a path parameter that is not declared',
    'path-parameters-defined',
    ({ paths }) => {
      paths['/{x}'] = structuredClone(paths['/version']);
    },
  ],
  [
    'an example that does not fit',
    'no-invalid-media-type-examples',
    ({ components }) => {
      components.responses.NotFound.content['application/json'].examples.notFound.value.code = 'x';
    },
  ],
])('the check finds %s', async (_what, rule, breakIt) => {
  const document = parse(source) as Broken;
  breakIt(document);
  expect((await faults(stringify(document))).join('\n')).toContain(rule);
});

interface Broken {
  info: Record<string, unknown>;
  paths: Record<string, unknown>;
  components: {
    responses: {
      NotFound: {
        content: { 'application/json': { examples: { notFound: { value: { code: string } } } } };
      };
    };
  };
}
