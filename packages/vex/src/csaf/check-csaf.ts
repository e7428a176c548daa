import type * as MandatoryTests from '@secvisogram/csaf-validator-lib/mandatoryTests.js';
import type { MandatoryTest } from '@secvisogram/csaf-validator-lib/mandatoryTests.js';
import { isJsonObject, type JsonObject } from '@bomtrail/sbom-formats';
import Ajv2020 from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import { firstProblem } from '../schema-check';
import { isDateTime } from '../times';

/** Mandatory tests named in a refusal; a document that breaks more is told the first ones. */
const maxNamedTests = 5;

/** Loaded with the first CSAF document: they take a second and tens of megabytes. */
function loadSchemas(): { csaf: JsonObject; referenced: [address: string, schema: JsonObject][] } {
  type Module = { default: JsonObject };
  const csaf =
    // oxlint-disable-next-line typescript/no-require-imports
    require('@secvisogram/csaf-validator-lib/lib/schemaTests/csaf_2_0/schema.js') as Module;
  // oxlint-disable-next-line typescript/no-require-imports
  const cvss2 = require('@secvisogram/csaf-validator-lib/schemas/cvss-v2.0.js') as Module;
  // oxlint-disable-next-line typescript/no-require-imports
  const cvss30 = require('@secvisogram/csaf-validator-lib/schemas/cvss-v3.0.js') as Module;
  // oxlint-disable-next-line typescript/no-require-imports
  const cvss31 = require('@secvisogram/csaf-validator-lib/schemas/cvss-v3.1.js') as Module;
  return {
    csaf: csaf.default,
    // By the addresses under which the CSAF schema refers to them; nothing is downloaded.
    referenced: [
      ['https://www.first.org/cvss/cvss-v2.0.json', cvss2.default],
      ['https://www.first.org/cvss/cvss-v3.0.json', cvss30.default],
      ['https://www.first.org/cvss/cvss-v3.1.json', cvss31.default],
    ],
  };
}

function loadMandatoryTests(): Record<string, MandatoryTest> {
  type Tests = typeof MandatoryTests;
  // oxlint-disable-next-line typescript/no-require-imports
  const tests = require('@secvisogram/csaf-validator-lib/mandatoryTests.js') as Tests;
  return { ...tests };
}

let compiled: ValidateFunction | undefined;

/**
 * Checks a document against CSAF 2.0: the official JSON schema (without `uniqueItems`, which takes Ajv quadratic
 * time), then every mandatory test (section 6.1).
 *
 * @returns the first reasons against it; null if there is none
 */
export function checkCsaf(json: JsonObject): string | null {
  compiled ??= compileSchema();
  const problem = firstProblem(compiled, json);
  if (problem !== null) {
    const isScore = /^vulnerabilities\[\d+\]\.scores/.test(problem);
    const test = isScore ? ', which mandatory test 6.1.8 requires' : '';
    return `it does not fit the JSON schema: ${problem}${test}`;
  }
  const broken = brokenMandatoryTests(json);
  if (broken.length === 0) return null;
  const named = broken.slice(0, maxNamedTests).map(({ test, message }) => `${test} (${message})`);
  const more = broken.length > maxNamedTests ? `, and ${broken.length - maxNamedTests} more` : '';
  return `it breaks the mandatory test${broken.length === 1 ? '' : 's'} ${named.join(', ')}${more}`;
}

interface BrokenTest {
  /** Section of the specification, e.g. `6.1.27.9`. */
  test: string;
  message: string;
}

function brokenMandatoryTests(json: JsonObject): BrokenTest[] {
  return Object.entries(loadMandatoryTests()).flatMap(([name, run]) => {
    const test = /^mandatoryTest_(\d+(?:_\d+)+)$/.exec(name)?.[1]?.replaceAll('_', '.');
    if (test === undefined) return [];
    const message = messageOf(run, json);
    return message === null ? [] : [{ test, message }];
  });
}

function messageOf(run: MandatoryTest, json: JsonObject): string | null {
  try {
    const result = run(json);
    if (result instanceof Promise) throw new TypeError('The mandatory tests are synchronous.');
    if (result.isValid !== false) return null;
    const [error] = result.errors ?? [];
    return error ? `${error.instancePath || '/'} ${error.message}`.slice(0, 300) : 'it fails';
  } catch (error) {
    // A test recurses along branches and relationships.
    if (error instanceof RangeError) return 'it is nested too deeply or refers to itself';
    throw error;
  }
}

function compileSchema(): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    formats: { 'date-time': isDateTime, uri: /^[a-z][a-z0-9+.-]*:\S*$/i },
  });
  const { csaf, referenced } = loadSchemas();
  for (const [address, schema] of referenced) ajv.addSchema(bounded(schema), address);
  return ajv.compile(bounded(csaf));
}

function bounded(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(
    ([keyword, value]) => keyword !== 'uniqueItems' || typeof value !== 'boolean',
  );
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, boundedValue(value)]));
}

function boundedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(boundedValue);
  return isJsonObject(value) ? bounded(value) : value;
}
