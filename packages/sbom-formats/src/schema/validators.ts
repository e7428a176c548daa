import { Ajv, type ValidateFunction } from 'ajv';

import { CYCLONEDX_VERSIONS, type CycloneDxVersion } from '../recognise-format';
import { readCycloneDxSchemas } from '../schema-files';
import { SPDX_SCHEMA } from '../spdx/spdx-schema';
import type { Spdx3Validators } from '../spdx3/element-problems';
import { SPDX3_SCHEMAS } from '../spdx3/spdx3-schema';

/** Compiled schemas. */
export interface Validators {
  cycloneDx(version: CycloneDxVersion): ValidateFunction;
  /** SPDX 2.2 and 2.3. */
  spdx2(): ValidateFunction;
  spdx3(): Spdx3Validators;
  /** Compiles every schema; throws when one is missing. */
  prepare(): void;
}

/** Base URL of references between the schemas; nothing is downloaded. */
const BASE = 'http://cyclonedx.org/schema/';

/** Compiles each schema on first use and caches it. */
export function createValidators(): Validators {
  const cycloneDx = new Map<CycloneDxVersion, ValidateFunction>();
  let spdx2: ValidateFunction | undefined;
  let spdx3: Spdx3Validators | undefined;
  const validators: Validators = {
    cycloneDx: (version) => {
      const compiled = cycloneDx.get(version) ?? compileCycloneDx(version);
      cycloneDx.set(version, compiled);
      return compiled;
    },
    spdx2: () => (spdx2 ??= newAjv().compile(SPDX_SCHEMA)),
    spdx3: () => (spdx3 ??= compileSpdx3()),
    prepare: () => {
      for (const version of CYCLONEDX_VERSIONS) validators.cycloneDx(version);
      validators.spdx2();
      validators.spdx3();
    },
  };
  return validators;
}

function compileSpdx3(): Spdx3Validators {
  const ajv = newAjv();
  return {
    document: ajv.compile(SPDX3_SCHEMAS.document),
    packages: ajv.compile(SPDX3_SCHEMAS.packages),
    relationships: ajv.compile(SPDX3_SCHEMAS.relationships),
    collections: ajv.compile(SPDX3_SCHEMAS.collections),
    others: ajv.compile(SPDX3_SCHEMAS.others),
  };
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
