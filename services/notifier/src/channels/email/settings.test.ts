import { addressesOf, mailboxOf } from './settings';

test.each([
  ['a@b.example', { name: '', address: 'a@b.example' }],
  ['<a@b.example>', { name: '', address: 'a@b.example' }],
  ['bomtrail <a@b.example>', { name: 'bomtrail', address: 'a@b.example' }],
  ['"bomtrail, alerts" <a@b.example>', { name: 'bomtrail, alerts', address: 'a@b.example' }],
  ['bomtrail a@b.example', undefined],
  ['x\r\nBcc: <a@b.example>', undefined],
])('%j is a mailbox: %j', (text, mailbox) => {
  expect(mailboxOf(text)).toEqual(mailbox);
});

test('addresses are separated by commas', () => {
  expect(addressesOf(' a@b.example ,c@d.example,, ')).toEqual(['a@b.example', 'c@d.example']);
});
