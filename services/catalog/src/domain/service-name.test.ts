import { serviceNameOf } from './service-name';

describe('the service of an upload', () => {
  test('is the given name verbatim, also with white space around it', () => {
    expect(serviceNameOf(' Checkout  API ', 'root')).toBe(' Checkout  API ');
  });

  test.each([null, '', ' \t '])('is the name of the root component where %j is given', (given) => {
    expect(serviceNameOf(given, 'root')).toBe('root');
  });

  test('is cut at 255 code points where it comes from the document', () => {
    expect(serviceNameOf(null, '🚀'.repeat(256))).toBe('🚀'.repeat(255));
  });

  test.each([null, '', '  '])('is absent if the document has %j', (rootName) => {
    expect(serviceNameOf(null, rootName)).toBeNull();
  });
});
