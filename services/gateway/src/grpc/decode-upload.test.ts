import fc from 'fast-check';
import { decodeUpload } from './decode-upload';
import { UploadSBOMRequest } from '@bomtrail/grpc-contract';

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
      expect(read.fields).toEqual(fields);
      expect(Buffer.from(read.document).toString()).toBe(sbom_json);
    }),
  );
});

test('any other bytes are a message, too, or refused with a code', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        decodeUpload(bytes);
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
