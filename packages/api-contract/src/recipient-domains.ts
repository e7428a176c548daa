import { domainToASCII } from 'node:url';
import { emailAddressFault } from './email-address';

/**
 * Parses a comma-separated list of mail domains from a setting.
 *
 * @returns distinct domains in lower-case ASCII; undefined if one is invalid
 */
export function mailDomainsOf(text: string): string[] | undefined {
  const given = text.split(',').map((part) => part.trim());
  const named = given.filter((part) => part !== '');
  if (named.some((domain) => emailAddressFault(`a@${domain}`) !== undefined)) return undefined;
  return [...new Set(named.map((domain) => domainToASCII(domain)))];
}

/**
 * Whether an address is an allowed recipient. `example.org` does not allow `sub.example.org`.
 *
 * @param address a valid address, see `emailAddressFault`
 * @param domains as `mailDomainsOf` returns them; empty allows all
 */
export function isAllowedRecipient(address: string, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  return domains.includes(domainToASCII(address.slice(address.lastIndexOf('@') + 1)));
}
