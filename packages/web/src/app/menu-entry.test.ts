import { menuEntry } from './menu-entry';

test.each([
  ['/', '/'],
  ['/findings', '/findings'],
  ['/findings/report', '/findings'],
  ['/projects/web-shop/services/1', '/projects'],
  ['/sboms/1', '/projects'],
  ['/sboms/1/diff/2', '/projects'],
  ['/vex/1', '/projects'],
  ['/settings/dead-letters', '/settings'],
  ['/imports/1', '/settings'],
])('%s belongs to %s', (pathname, entry) => {
  expect(menuEntry(pathname)).toBe(entry);
});
