import { requestAjv, responseAjv } from './ajv';
import { loadContract, operationsOf } from './contract';
import { dereference } from './dereference';
import { describedKeywords } from './problems';
import { checkResponse } from './response-check';
import type { Schema } from './schema';

const contract = loadContract();
const resolved = dereference(contract.document);
const operations = operationsOf(resolved).map(({ operation }) => operation);

describe('the examples of the contract', () => {
  test('of requests are accepted', () => {
    let seen = 0;
    for (const { operationId, requestBody } of operations) {
      const examples = requestBody?.content['application/json']?.examples ?? {};
      for (const { value } of Object.values(examples)) {
        expect(contract.operations.get(operationId)!.validators.body(value)).toMatchObject({
          ok: true,
        });
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThanOrEqual(10);
  });

  test('of responses are as the contract says', () => {
    let seen = 0;
    for (const { operationId, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        const { schema, examples } = content?.['application/json'] ?? { schema: {} };
        const bodies = [
          ...Object.values(examples ?? {}).map(({ value }) => value),
          ...((schema.examples as unknown[] | undefined) ?? []),
        ];
        for (const body of bodies) {
          expect(checkResponse(contract, { operationId, status: Number(status), body })).toEqual(
            [],
          );
          seen += 1;
        }
      }
    }
    expect(seen).toBeGreaterThanOrEqual(100);
  });

  test('of schemas fit their schema', () => {
    const ajv = responseAjv();
    for (const [name, schema] of Object.entries(resolved.components.schemas)) {
      const validate = ajv.compile(schema);
      for (const example of (schema.examples as unknown[] | undefined) ?? []) {
        expect([name, validate(example), validate.errors]).toEqual([name, true, null]);
      }
    }
  });
});

test('every keyword that a request can fail has a name in the table of problems', () => {
  const notes =
    /^(description|default|examples|writeOnly|properties|items|additionalProperties|contentMediaType|x-(additive|trim|when-.*))$/;
  const used = new Set<string>();
  const collect = (schema: Schema) => {
    for (const keyword of Object.keys(schema)) if (!notes.test(keyword)) used.add(keyword);
    for (const field of Object.values(schema.properties ?? {})) collect(field);
    if (schema.items) collect(schema.items);
  };
  for (const { parameters = [], requestBody } of operations) {
    for (const { schema } of parameters) collect(schema);
    for (const { schema } of Object.values(requestBody?.content ?? {})) collect(schema);
  }
  expect([...used].filter((keyword) => !describedKeywords.includes(keyword))).toEqual([]);
  expect(describedKeywords.filter((keyword) => !used.has(keyword))).toEqual([]);
});

test('every part of every request has a check, in which no keyword is misspelt', () => {
  for (const { validators } of contract.operations.values())
    for (const check of Object.values(validators)) expect(check({})).toHaveProperty('ok');
  const ajv = requestAjv();
  expect(() => ajv.compile({ type: 'string', 'x-tirm': true })).toThrow(/x-tirm/);
});
