import { fileNameOf } from './file-name';

test('a download has the name that the server gives it', () => {
  expect(fileNameOf('attachment; filename="shop-1.2.json"')).toBe('shop-1.2.json');
  expect(fileNameOf('attachment')).toBeUndefined();
  expect(fileNameOf(null)).toBeUndefined();
});
