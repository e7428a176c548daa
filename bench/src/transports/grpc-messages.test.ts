import { encodeUpload, readSbomId } from './grpc-messages';

test('an upload is the protobuf message of its fields, behind its length', () => {
  const document = Buffer.alloc(300, 'x');
  const bytes = encodeUpload({ projectId: 'p', version: '2', serviceName: 's', document });
  const fields = Buffer.from([0x0a, 1, 112, 0x1a, 1, 50, 0x22, 1, 115, 0x2a, 0xac, 0x02]);
  expect(bytes.subarray(0, 5)).toEqual(Buffer.from([0, 0, 0, 1, 56]));
  expect(bytes.subarray(5)).toEqual(Buffer.concat([fields, document]));
});

test('the id is the first field of the answer', () => {
  const id = '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f4';
  const message = Buffer.concat([Buffer.from([0x0a, id.length]), Buffer.from(id)]);
  expect(readSbomId(Buffer.concat([Buffer.alloc(5), message]))).toBe(id);
  expect(() => readSbomId(Buffer.alloc(5))).toThrow('no id');
});
