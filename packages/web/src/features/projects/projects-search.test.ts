import { labelsOf } from './labels-of';
import { parseProjectsSearch } from './projects-search';

test.each([
  [{}, {}],
  [
    { owner: ' Team A ', label: 'pci, eu,,pci' },
    { owner: 'Team A', label: 'pci,eu' },
  ],
  [
    { name: ' shop', page: '3' },
    { name: 'shop', page: '3' },
  ],
  [{ name: ' ', page: '1' }, {}],
  [{ name: 5, page: '-2' }, {}],
  [{ owner: ' ', label: ' , ' }, {}],
  [{ owner: 5, label: ['pci'] }, {}],
  [{ label: `${'x'.repeat(65)},ok` }, { label: 'ok' }],
])('of the address %j is taken what the API knows', (given, expected) => {
  expect(parseProjectsSearch(given)).toEqual(expected);
});

test('labels are written with commas between them', () => {
  expect(labelsOf(' pci,  internet facing ,pci,')).toEqual(['pci', 'internet facing']);
});
