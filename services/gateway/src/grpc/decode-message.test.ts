import fc from 'fast-check';
import { CheckSBOMRequest, UploadSBOMRequest } from '@bomtrail/grpc-contract';
import { checkMessage, decodeMessage, uploadMessage } from './decode-message';

const decodeUpload = (bytes: Uint8Array) => decodeMessage(uploadMessage, bytes);

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const request = fc.record({
  project_id: text,
  project_slug: text,
  version: text,
  service_name: text,
  sbom_json: fc.string({ unit: 'binary', maxLength: 400 }),
});

test('a message is read as the generated reader reads it', () => {
  fc.assert(
    fc.property(request, (given) => {
      const bytes = UploadSBOMRequest.encode(given).finish();
      const { sbom_json, ...fields } = UploadSBOMRequest.decode(bytes);
      const read = decodeUpload(bytes);
      expect(read.fields).toEqual(withoutEmpty(fields));
      expect(Buffer.from(read.document).toString()).toBe(sbom_json);
    }),
  );
});

test('a check is read as the generated reader reads it, its values as text', () => {
  const check = fc.record({
    project_id: text,
    project_slug: text,
    version: text,
    service_name: text,
    sbom_json: fc.string({ unit: 'binary', maxLength: 40 }),
    fail_on: text,
    baseline: text,
    only_new: fc.boolean(),
    fail_on_kev: fc.boolean(),
    only_fixable: fc.boolean(),
    fail_on_license: fc.boolean(),
    min_quality: fc.option(fc.integer(), { nil: undefined }),
    max_epss: fc.option(fc.double(), { nil: undefined }),
  });
  fc.assert(
    fc.property(check, (given) => {
      const bytes = CheckSBOMRequest.encode(given).finish();
      const { sbom_json, ...fields } = CheckSBOMRequest.decode(bytes);
      const read = decodeMessage(checkMessage, bytes);
      expect(read.fields).toEqual(withoutEmpty(fields));
      expect(Buffer.from(read.document).toString()).toBe(sbom_json);
    }),
  );
});

/** Given fields as text; what protobuf does not send counts as absent. */
function withoutEmpty(fields: object): object {
  const given = Object.entries(fields).filter(
    ([, value]) => value !== '' && value !== false && value !== undefined,
  );
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

test('any other bytes are a message, too, or refused with a code', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        decodeUpload(bytes);
        decodeMessage(checkMessage, bytes);
      } catch (error) {
        expect(error).toMatchObject({ code: 'malformed_body' });
      }
    }),
    { numRuns: 2_000 },
  );
});

test('of a field that stands twice the last counts, and the document is not copied', () => {
  const once = UploadSBOMRequest.encode({ ...empty, version: '1', sbom_json: 'a' }).finish();
  const twice = UploadSBOMRequest.encode({ ...empty, version: '2', sbom_json: 'b' }).finish();
  const bytes = Buffer.concat([once, twice]);
  const read = decodeUpload(bytes);
  expect([read.fields.version, Buffer.from(read.document).toString()]).toEqual(['2', 'b']);
  expect(read.document.buffer).toBe(bytes.buffer);
});

const empty = { project_id: '', project_slug: '', version: '', service_name: '', sbom_json: '' };
