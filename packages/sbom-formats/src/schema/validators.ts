import { Ajv, type ValidateFunction } from 'ajv';

import type { CycloneDxVersion, SbomSpecification } from '../recognise-format';
import { readCycloneDxSchemas } from '../schema-files';
import { SPDX_SCHEMA } from '../spdx/spdx-schema';

/** Returns the compiled schema of a format and version. */
export type ValidatorSource = (specification: SbomSpecification) => ValidateFunction;

/** Base URL of references between the schemas; nothing is downloaded. */
const BASE = 'http://cyclonedx.org/schema/';

/** Compiles each schema on first use and caches it. */
export function createValidators(): ValidatorSource {
  const compiled = new Map<string, ValidateFunction>();
  return (specification) => {
    const key = specification.format === 'spdx' ? 'spdx' : specification.specVersion;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const fresh =
      specification.format === 'spdx' ? compileSpdx() : compileCycloneDx(specification.specVersion);
    compiled.set(key, fresh);
    return fresh;
  };
}

function compileSpdx(): ValidateFunction {
  return newAjv().compile(SPDX_SCHEMA);
}

function compileCycloneDx(version: CycloneDxVersion): ValidateFunction {
  const ajv = newAjv();
  const { main, referenced } = readCycloneDxSchemas(version);
  for (const { fileName, schema } of referenced)
    ajv.addSchema({ ...schema, $id: `${BASE}${fileName}` });
  return ajv.compile({ ...main, $id: `${BASE}bom-${version}` });
}

/** The schemas have keywords that Ajv's strict mode rejects. */
function newAjv(): Ajv {
  return new Ajv({ strict: false, validateFormats: false, validateSchema: false });
}
