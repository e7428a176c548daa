import type { BadRequest } from './bad-request';
import { sbomDocuments } from './documents';
import { fields } from './fields';
import { framing } from './framing';
import { headers } from './headers';
import { jsonBodies } from './json-bodies';
import { multipartBodies } from './multipart-bodies';
import { paths } from './paths';
import { queries } from './queries';
import { rulesAndKeys } from './rules-and-keys';
import { uploadForms } from './upload-forms';

/** Every table, by what is wrong in it. */
export const badRequests: Readonly<Record<string, readonly BadRequest[]>> = {
  'Bodies that are no JSON of ours': jsonBodies,
  'Fields out of bounds': fields,
  'Alert rules, API keys and what is deleted': rulesAndKeys,
  'Queries out of bounds': queries,
  'Paths and methods that are not served': paths,
  'Headers and keys': headers,
  'Bytes that are no HTTP': framing,
  'Uploads that are no multipart': multipartBodies,
  'Uploads with forms of others': uploadForms,
  'SBOM documents that are off': sbomDocuments,
};
