import { text } from '../../text/en';
import { licenceCounts, licenceGroups } from './licence-counts';

const of = (
  name: string,
  license: string | null,
  license_group?: 'permissive' | 'network_copyleft',
) => ({
  name,
  version: '1',
  license,
  ...(license_group && { license_group }),
});

test('licences are counted, unknown ones first, then what asks for most', () => {
  expect(
    licenceCounts([
      of('a', 'MIT', 'permissive'),
      of('b', null),
      of('c', 'MIT', 'permissive'),
      of('d', 'AGPL-3.0-only', 'network_copyleft'),
      of('e', 'Own words'),
      of('f', 'ISC', 'permissive'),
    ]),
  ).toEqual([
    { license: null, group: 'unknown', components: 1, example: 'b 1' },
    { license: 'Own words', group: 'unknown', components: 1, example: 'e 1' },
    { license: 'AGPL-3.0-only', group: 'network_copyleft', components: 1, example: 'd 1' },
    { license: 'MIT', group: 'permissive', components: 2, example: 'a 1' },
    { license: 'ISC', group: 'permissive', components: 1, example: 'f 1' },
  ]);
});

test('without dependencies there are none', () => expect(licenceCounts([])).toEqual([]));

test('every group of the contract is listed', () => {
  expect([...licenceGroups].sort()).toEqual(Object.keys(text.licences.groups).sort());
});
