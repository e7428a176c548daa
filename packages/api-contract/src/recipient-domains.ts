import { domainToASCII } from 'node:url';
import { emailAddressFault } from './email-address';

/**
 * Reads a list of mail domains, separated by commas, as settings have it.
 *
 * @returns the domains in lower case and ASCII, each once; undefined when one of them is not a domain of mail
 */
export function mailDomainsOf(text: string): string[] | undefined {
  const given = text.split(',').map((part) => part.trim());
  const named = given.filter((part) => part !== '');
  if (named.some((domain) => emailAddressFault(`a@${domain}`) !== undefined)) return undefined;
  return [...new Set(named.map((domain) => domainToASCII(domain)))];
}

/**
 * May this address get mail? Only the whole domain counts: `example.org` does not allow `sub.example.org`.
 *
 * @param address one in which `emailAddressFault` finds nothing
 * @param domains as `mailDomainsOf` gives them; empty: every address may
 */
export function isAllowedRecipient(address: string, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  return domains.includes(domainToASCII(address.slice(address.lastIndexOf('@') + 1)));
}
