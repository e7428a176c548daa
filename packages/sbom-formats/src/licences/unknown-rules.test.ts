import { findUnknownRules } from './unknown-rules';

const unknown = (license: string) => findUnknownRules([{ license }]);

test.each([
  ['GPL-3.0-onyl', ['GPL-3.0-only']],
  ['GPL-3.0-ony', ['GPL-3.0-only']],
  ['GPL 3.0 only', ['GPL-3.0-only']],
  ['apache-2', ['Apache-2.0']],
  ['BUSL1.1', ['BUSL-1.1']],
])('LP6: %s names no licence, but resembles %j', (license, similar) => {
  expect(unknown(license)).toEqual([{ license, similar }]);
});

test.each([
  'Acme Commercial',
  'GPLv3',
  'Own',
  'MIT OR ISC',
  'GNU General Public License v3.0 only',
])('LP6: %s names no licence of the list, nor resembles one', (license) => {
  expect(unknown(license)).toEqual([{ license, similar: [] }]);
});

test.each([
  'gpl-3.0-only',
  'GPL-3.0',
  'GPL-2.0+',
  'Apache-2.0+',
  'GPL-2.0-only WITH Classpath-exception-2.0',
  'LicenseRef-acme',
  'DocumentRef-other:LicenseRef-acme',
])('LP6: %s names a licence', (license) => {
  expect(unknown(license)).toEqual([]);
});
