import type { Schema } from '../schema';
import { breakingChanges } from './breaking-changes';

/** A small contract: one operation with a parameter, a body and an answer of these schemas. */
interface Small {
  parameter?: Record<string, unknown>;
  request?: Schema;
  response?: Schema;
  operation?: Record<string, unknown>;
  document?: Record<string, unknown>;
}

function contractOf({ parameter, request, response, operation, document }: Small): object {
  return {
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths: {
      '/things': {
        parameters: parameter ? [{ name: 'q', in: 'query', ...parameter }] : [],
        post: {
          operationId: 'makeThing',
          ...(request && { requestBody: { content: { 'application/json': { schema: request } } } }),
          responses: {
            '201': {
              headers: { Etag: { required: true, schema: { type: 'string' } } },
              content: { 'application/json': { schema: response ?? {} } },
            },
            '404': { content: { 'application/json': { schema: { type: 'object' } } } },
          },
          ...operation,
        },
      },
    },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    ...document,
  };
}

function found(released: Small, current: Small): string[] {
  return breakingChanges(contractOf(released), contractOf(current)).map(
    ({ rule, where }) => `${rule}: ${where}`,
  );
}

const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});
const text: Schema = { type: 'string' };
const answer = (more: object) => ({ responses: { '201': { description: 'x', ...more } } });

describe('an accepted request stays accepted with the same meaning', () => {
  test.each<[rule: string, released: Schema, current: Schema]>([
    ['request-type-narrowed', { type: ['string', 'null'] }, text],
    ['request-type-narrowed', {}, text],
    ['request-type-narrowed', { type: 'number' }, { type: 'integer' }],
    ['request-type-narrowed', { anyOf: [text, { type: 'null' }] }, { anyOf: [text] }],
    ['request-type-narrowed', { type: 'object' }, { type: 'object', additionalProperties: false }],
    ['request-enum-narrowed', { enum: ['a', 'b'] }, { enum: ['a'] }],
    ['request-enum-narrowed', text, { ...text, enum: ['a'] }],
    ['request-bound-narrowed', { ...text, maxLength: 9 }, { ...text, maxLength: 8 }],
    ['request-bound-narrowed', text, { ...text, minLength: 1 }],
    ['request-bound-narrowed', { type: 'integer', maximum: 9 }, { type: 'integer', maximum: 8 }],
    ['request-bound-narrowed', { type: 'object' }, { type: 'object', 'x-max-depth': 32 }],
    ['request-field-required', object({ a: text }), object({ a: text }, ['a'])],
    ['request-field-required', object({}), object({ a: text }, ['a'])],
    ['request-field-removed', object({ a: text }), object({})],
    ['request-default-changed', { ...text, default: 'a' }, { ...text, default: 'b' }],
    ['request-default-changed', { ...text, default: 'a' }, text],
    ['request-meaning-changed', text, { ...text, format: 'uuid' }],
    ['request-meaning-changed', text, { ...text, pattern: '^a' }],
    ['request-meaning-changed', text, { ...text, 'x-trim': true }],
    ['request-meaning-changed', text, { ...text, 'x-future': true }],
    ['request-meaning-changed', text, { ...text, 'x-nobody-knows': 1 }],
    ['request-meaning-changed', {}, { oneOf: [{ required: ['a'] }] }],
    ['request-enum-narrowed', object({ a: { enum: [1, 2] } }), object({ a: { enum: [1] } })],
    [
      'request-enum-narrowed',
      { type: 'array', items: { enum: [1, 2] } },
      { type: 'array', items: { enum: [1] } },
    ],
    [
      'request-type-narrowed',
      { type: 'object', additionalProperties: true },
      { type: 'object', additionalProperties: true, properties: { a: text } },
    ],
  ])('%s: %j is no longer %j', (rule, released, current) => {
    for (const broken of [
      found({ request: released }, { request: current }),
      found({ parameter: { schema: released } }, { parameter: { schema: current } }),
    ]) {
      expect(broken).toEqual([expect.stringMatching(`^${rule}: makeThing `)]);
    }
  });

  test.each<[released: Schema, current: Schema]>([
    [text, { type: ['string', 'null'] }],
    [{ type: 'integer' }, { type: 'number' }],
    [{ enum: ['a'] }, { enum: ['a', 'b'] }],
    [{ ...text, enum: ['a'] }, text],
    [
      { ...text, maxLength: 8, minLength: 1 },
      { ...text, maxLength: 9 },
    ],
    [object({ a: text }, ['a']), object({ a: text, b: text })],
    [{ anyOf: [text] }, { anyOf: [text, { type: 'null' }] }],
    [text, { ...text, description: 'new', examples: ['a'], 'x-additive': true }],
    [object({}), { ...object({}), additionalProperties: text }],
  ])('%j may become %j', (released, current) => {
    const additionalProperties = typeof current.additionalProperties === 'object';
    expect(found({ request: released }, { request: current })).toEqual(
      additionalProperties ? [expect.stringMatching('request-type-narrowed')] : [],
    );
  });
});

describe('clients can still read every response', () => {
  test.each<[rule: string, released: Schema, current: Schema]>([
    ['response-field-removed', object({ a: text }), object({})],
    ['response-field-optional', object({ a: text }, ['a']), object({ a: text })],
    ['response-type-widened', text, { type: 'integer' }],
    ['response-type-widened', text, { type: ['string', 'null'] }],
    ['response-type-widened', text, { anyOf: [text, { type: 'null' }] }],
    ['response-type-widened', { anyOf: [text] }, { anyOf: [text, { type: 'null' }] }],
    ['response-type-widened', { type: 'integer' }, { type: 'number' }],
    ['response-enum-widened', { enum: ['a'] }, { enum: ['a', 'b'] }],
    ['response-enum-widened', { ...text, enum: ['a'] }, text],
    ['response-bound-widened', { ...text, maxLength: 8 }, { ...text, maxLength: 9 }],
    ['response-bound-widened', { type: 'integer', minimum: 0 }, { type: 'integer' }],
    ['response-meaning-changed', { ...text, format: 'uuid' }, text],
    ['response-meaning-changed', text, { ...text, 'x-nobody-knows': 1 }],
    ['response-type-widened', object({ a: text }), object({ a: { type: 'integer' } })],
    ['response-type-widened', { type: 'array', items: text }, { type: 'array' }],
    [
      'response-type-widened',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: true },
    ],
    [
      'response-field-removed',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: false },
    ],
  ])('%s: %j does not become %j', (rule, released, current) => {
    expect(found({ response: released }, { response: current })).toEqual([
      expect.stringMatching(`^${rule}: makeThing 201 body`),
    ]);
  });

  test.each<[released: Schema, current: Schema]>([
    [{ type: ['string', 'null'] }, text],
    [{ type: 'number' }, { type: 'integer' }],
    [object({}), object({ a: text }, ['a'])],
    [{ enum: ['a', 'b'] }, { enum: ['a'] }],
    [
      { enum: ['a'], 'x-open-values': true },
      { enum: ['a', 'b'], 'x-open-values': true },
    ],
    [text, { ...text, maxLength: 9, description: 'new' }],
    [{ anyOf: [text, { type: 'null' }] }, { anyOf: [text] }],
  ])('%j may become %j', (released, current) => {
    expect(found({ response: released }, { response: current })).toEqual([]);
  });

  test('an enum is open only if it was released as open', () => {
    const opened = { enum: ['a', 'b'], 'x-open-values': true };
    expect(found({ response: { enum: ['a'] } }, { response: opened })).toHaveLength(1);
  });
});

describe('an operation keeps its path, method and id', () => {
  const path = contractOf({}) as { paths: Record<string, unknown> };
  const moved = { paths: { '/things/new': path.paths['/things'] } };
  const asPut = { paths: { '/things': { put: { operationId: 'makeThing', responses: {} } } } };
  const scheme = { components: { securitySchemes: { key: { type: 'http', scheme: 'basic' } } } };
  const body = (request: object) => ({ operation: { requestBody: request } });
  const json = { 'application/json': { schema: text } };
  const form = { 'multipart/form-data': { schema: text } };

  test.each<[broken: string, released: Small, current: Small]>([
    ['path-removed: makeThing /things', {}, { document: moved }],
    ['operation-removed: makeThing', {}, { document: asPut }],
    ['operation-renamed: makeThing', {}, { operation: { operationId: 'createThing' } }],
    ['server-removed: /', {}, { document: { servers: [{ url: '/v2' }] } }],
    ['security-changed: makeThing', {}, { operation: { security: [] } }],
    ['security-changed: makeThing', { operation: { security: [] } }, {}],
    ['security-changed: makeThing', {}, { document: scheme }],
    ['parameter-removed: makeThing query q', { parameter: { schema: text } }, {}],
    ['parameter-required: makeThing query q', {}, { parameter: { required: true, schema: text } }],
    [
      'parameter-required: makeThing query q',
      { parameter: { schema: text } },
      { parameter: { required: true, schema: text } },
    ],
    [
      'parameter-style-changed: makeThing query q',
      { parameter: { schema: text } },
      { parameter: { schema: text, explode: false } },
    ],
    ['request-body-removed: makeThing request', { request: text }, {}],
    ['request-body-required: makeThing request', {}, body({ required: true, content: json })],
    [
      'request-media-type-removed: makeThing request application/json',
      body({ content: json }),
      body({ content: form }),
    ],
  ])('%s', (broken, released, current) => {
    expect(found(released, current)).toEqual([broken]);
  });

  test.each<[broken: string, released: object, current: object]>([
    ['response-removed: makeThing 201', answer({}), { responses: {} }],
    [
      'response-status-changed: makeThing 202',
      answer({}),
      { responses: { ...answer({}).responses, '202': {} } },
    ],
    [
      'response-media-type-removed: makeThing 201 application/json',
      answer({ content: json }),
      answer({}),
    ],
    ['response-type-widened: makeThing 201', answer({}), answer({ content: json })],
    [
      'response-header-lost: makeThing 201 Etag',
      answer({ headers: { Etag: { schema: text } } }),
      answer({}),
    ],
    [
      'response-header-lost: makeThing 201 Etag',
      answer({ headers: { Etag: { required: true, schema: text } } }),
      answer({ headers: { Etag: { schema: text } } }),
    ],
    [
      'response-type-widened: makeThing 201 Etag',
      answer({ headers: { Etag: { schema: text } } }),
      answer({ headers: { Etag: { schema: { type: 'integer' } } } }),
    ],
  ])('%s', (broken, released, current) => {
    expect(
      found(
        { operation: released as Record<string, unknown> },
        { operation: current as Record<string, unknown> },
      ),
    ).toEqual([broken]);
  });

  test('new operations, parameters, error statuses, headers and a deprecation are not breaking', () => {
    const grown = contractOf({
      parameter: { schema: text },
      operation: { deprecated: true, 'x-removal-date': '2027-06-30' },
    }) as { paths: Record<string, { post: { responses: Record<string, object> } }> };
    grown.paths['/things']!.post.responses['429'] = { headers: { 'Retry-After': {} } };
    grown.paths['/more'] = { post: { responses: {} } };
    expect(breakingChanges(contractOf({}), grown)).toEqual([]);
  });

  test('responses outside of operations stay', () => {
    const others = (status: string) => ({ document: { 'x-other-responses': { [status]: {} } } });
    expect(found(others('404'), others('410'))).toEqual(['response-removed: no operation 404']);
    expect(found({}, others('404'))).toEqual([]);
  });
});
