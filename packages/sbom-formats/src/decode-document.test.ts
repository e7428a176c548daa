import { accepted, component, cycloneDx, httpError, toBytes } from './testing/documents';

const document = cycloneDx({ components: [component('größe')] });

describe('the bytes of a document', () => {
  test('may begin with a UTF-8 byte order mark', () => {
    expect(accepted(`\ufeff${JSON.stringify(document)}`)).toEqual(accepted(document));
  });

  test('may be a view into a larger buffer', () => {
    const bytes = toBytes(document);
    const larger = Buffer.concat([Buffer.from('xx'), bytes, Buffer.from('yy')]);
    const view = larger.subarray(2, 2 + bytes.byteLength);
    expect(accepted(view.toString())).toEqual(accepted(document));
  });

  test.each([
    ['no bytes', Buffer.alloc(0), 'empty'],
    [
      'UTF-16 with a byte order mark',
      Buffer.from(`\ufeff${JSON.stringify(document)}`, 'utf16le'),
      'UTF-16',
    ],
    ['UTF-16 without one', Buffer.from(JSON.stringify(document), 'utf16le'), 'UTF-16'],
    [
      'UTF-16 in the other order',
      Buffer.from(JSON.stringify(document), 'utf16le').swap16(),
      'UTF-16',
    ],
    ['Latin-1', Buffer.from(JSON.stringify(document), 'latin1'), 'not UTF-8'],
    ['half a document', toBytes(document).subarray(0, 30), 'not JSON'],
    ['XML', Buffer.from('<?xml version="1.0"?><bom/>'), 'not JSON'],
    ['two documents', Buffer.from('{} {}'), 'not JSON'],
    ['lists opened two million times', Buffer.from('['.repeat(2_000_000)), 'not JSON'],
  ])('are malformed when they are %s', (_title, bytes, said) => {
    expect(httpError(bytes)).toEqual({
      code: 'malformed_json',
      detail: expect.stringContaining(said) as string,
    });
  });

  test('of duplicate keys the last counts', () => {
    const sbom = accepted(
      '{"bomFormat":"CycloneDX","specVersion":"1.5","components":7,"components":[{"type":"library","name":"first","name":"last"}]}',
    );
    expect(sbom.dependencies.map(({ name }) => name)).toEqual(['last']);
  });
});
