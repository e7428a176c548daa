import { addressGroup } from '@bomtrail/http-edge';
import type { Caller } from '../domain/caller';

/**
 * Whose uploads share places (`gate.ts`): those with one key from one address. Another build that has
 * the same key, or another team behind the same address, is another sender.
 */
export function senderOf({ keyId }: Pick<Caller, 'keyId'>, address: string | null): string {
  return `${keyId} ${addressGroup(address ?? '')}`;
}
