import { isAllowedRecipient, mailDomainsOf } from './recipient-domains';

test.each<[text: string, domains: string[] | undefined]>([
  ['', []],
  ['example.org', ['example.org']],
  [' Example.ORG , example.com,,example.org', ['example.org', 'example.com']],
  ['bücher.example', ['xn--bcher-kva.example']],
  ['@example.org', undefined],
  ['*.example.org', undefined],
  ['example.org;example.com', undefined],
  ['localhost', undefined],
])('%j are the domains %j', (text, domains) => {
  expect(mailDomainsOf(text)).toEqual(domains);
});

const domains = ['example.org', 'xn--bcher-kva.example'];

test.each([
  ['a@example.org', true],
  ['a@EXAMPLE.org', true],
  ['a@bücher.example', true],
  ['a@xn--bcher-kva.example', true],
  ['a@sub.example.org', false],
  ['a@example.org.evil.example', false],
  ['a@notexample.org', false],
])('%s is allowed: %s', (address, allowed) => {
  expect(isAllowedRecipient(address, domains)).toBe(allowed);
  expect(isAllowedRecipient(address, [])).toBe(true);
});
