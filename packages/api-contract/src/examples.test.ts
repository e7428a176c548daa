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

  test('of responses conform to the contract', () => {
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

describe('values that the reference page fills in', () => {
  /** The first example of each parameter; what has none stays empty. */
  const filledIn = (declared: [name: string, example: unknown][]): Record<string, string> =>
    Object.fromEntries(
      declared.flatMap(([name, example]) =>
        example === undefined ? [] : [[name, String(example)]],
      ),
    );

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'is accepted as the query and the form of %s',
    (operationId, { parameters = [], requestBody }) => {
      const { query, form } = contract.operations.get(operationId)!.validators;
      const inQuery = parameters
        .filter((one) => one.in === 'query')
        .map(({ name, examples, example }): [string, unknown] => [
          name,
          Object.values(examples ?? {})[0]?.value ?? example,
        ]);
      const needed = parameters.some((one) => one.in === 'query' && one.required);
      if (!needed) expect(query(filledIn(inQuery))).toMatchObject({ ok: true });
      const fields = requestBody?.content['multipart/form-data']?.schema.properties ?? {};
      const inForm = Object.entries(fields).map(([name, field]): [string, unknown] => [
        name,
        (field.examples as unknown[] | undefined)?.[0],
      ]);
      if (inForm.length > 0) expect(form(filledIn(inForm))).toMatchObject({ ok: true });
    },
  );
});

test('every request keyword has an entry in the table of problems', () => {
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

test('every part of every request compiles without misspelt keywords', () => {
  for (const { validators } of contract.operations.values()) {
    const { path, query, form, body } = validators;
    for (const check of [path, query, form, body]) expect(check({})).toHaveProperty('ok');
  }
  const ajv = requestAjv();
  expect(() => ajv.compile({ type: 'string', 'x-tirm': true })).toThrow(/x-tirm/);
});
