import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { Ajv } from 'ajv';

import type { JsonObject } from '../json';
import { CYCLONEDX_VERSIONS } from '../recognise-format';
import { readCycloneDxSchemas } from '../schema-files';
import { relaxedSchema } from './relaxed-schema';

const FORGIVEN_LEFT = /"(format|pattern|uniqueItems)":("|true|false)|"additionalProperties":false/;

const ajv = new Ajv({ strict: false });
const accepts = (schema: JsonObject, value: unknown) => ajv.validate(schema, value);

describe('a forgiving schema', () => {
  test('lacks format, pattern, uniqueItems and closed objects at every level', () => {
    const strict = {
      type: 'array',
      uniqueItems: true,
      items: {
        $ref: '#/definitions/thing',
      },
      definitions: {
        thing: {
          type: 'object',
          additionalProperties: false,
          required: ['a'],
          properties: { a: { type: 'string', format: 'uri', pattern: '^x' } },
        },
      },
    };
    const relaxed = relaxedSchema(strict);
    expect(
      accepts(relaxed, [
        { a: 'y', b: 1 },
        { a: 'y', b: 1 },
      ]),
    ).toBe(true);
    expect(accepts(relaxed, [{ b: 1 }])).toBe(false);
    expect(accepts(relaxed, [{ a: 1 }])).toBe(false);
  });

  test('keeps properties that are called like a keyword', () => {
    const properties = {
      format: { type: 'string' },
      pattern: { type: 'string' },
      title: { type: 'string' },
    };
    expect(relaxedSchema({ properties })).toEqual({ properties });
  });

  test('keeps additional properties that must have a form', () => {
    expect(accepts(relaxedSchema({ additionalProperties: { type: 'string' } }), { a: 1 })).toBe(
      false,
    );
  });

  test('still asks for exactly one of several fields', () => {
    const choice = { oneOf: [{ required: ['a'] }, { required: ['b'] }] };
    expect(relaxedSchema(choice)).toEqual(choice);
  });

  test('accepts what several alternatives accept once they are no longer told apart', () => {
    const closed = (name: string) => ({ additionalProperties: false, properties: { [name]: {} } });
    const definitions = {
      person: closed('mail'),
      firm: { allOf: [{ $ref: '#/definitions/firm' }, closed('url')] },
    };
    const oneOf = [{ $ref: '#/definitions/person' }, { $ref: '#/definitions/firm' }];
    expect(Object.keys(relaxedSchema({ oneOf, definitions }))).toEqual(['anyOf', 'definitions']);
  });

  test('takes any text for the id of a licence', () => {
    expect(relaxedSchema({ properties: { id: { $ref: 'spdx.SNAPSHOT.schema.json' } } })).toEqual({
      properties: { id: { type: 'string' } },
    });
  });
});

describe.each(CYCLONEDX_VERSIONS)('the schema of CycloneDX %s', (version) => {
  const { main, referenced } = readCycloneDxSchemas(version);
  const library = createRequire(__filename).resolve('@cyclonedx/cyclonedx-library/package.json');
  const official = readFileSync(
    join(dirname(library), 'res', 'schema', `bom-${version}.SNAPSHOT.schema.json`),
    'utf8',
  );

  test('has nothing left that is forgiven', () => {
    expect(official).toMatch(/"uniqueItems": true/);
    for (const schema of [main, ...referenced.map((file) => file.schema)])
      expect(JSON.stringify(schema)).not.toMatch(FORGIVEN_LEFT);
  });

  test('still requires, types and enumerates as the official one does', () => {
    const officialComponent = (JSON.parse(official) as { definitions: { component: JsonObject } })
      .definitions.component;
    const component = (main.definitions as { component: JsonObject }).component;
    expect(component.required).toEqual(officialComponent.required);
    expect(Object.keys(component.properties as JsonObject)).toEqual(
      Object.keys(officialComponent.properties as JsonObject),
    );
    for (const keyword of ['enum', 'required', 'minimum', 'minLength'])
      expect(occurrences(JSON.stringify(main), keyword)).toBe(
        occurrences(JSON.stringify(JSON.parse(official)), keyword),
      );
  });
});

/** With a list or a number as value: words of an enumeration are described under such names too. */
function occurrences(json: string, keyword: string): number {
  return json.match(new RegExp(`"${keyword}":[[0-9]`, 'g'))?.length ?? 0;
}
