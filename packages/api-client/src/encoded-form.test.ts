import { EncodedForm } from './encoded-form';

test('a form is what the platform reads of it, whatever its values are', async () => {
  const fields = { version: 'ü "1" ; filename=x', service_name: undefined, commit: '' };
  const content = Buffer.from([0, 13, 10, 45, 45, 255]);
  const form = new EncodedForm(fields, { name: 'sbom.json', content });
  const headers = { 'content-type': form.contentType };
  const read = await new Response(form.bytes, { headers }).formData();
  expect(read.get('version')).toBe(fields.version);
  expect(read.has('service_name')).toBe(false);
  expect(read.get('commit')).toBe('');
  const file = read.get('file') as File;
  expect([file.name, file.type]).toEqual(['sbom.json', 'application/octet-stream']);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(content);
});
