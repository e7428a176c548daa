import { addressGroup } from '@bomtrail/http-edge';
import type { Caller } from '../api-keys/domain/caller';

/**
 * The sender for shares of slots (`admission-queue.ts`): one key or person at one address. The same key at
 * another address, or another key at the same address, is another sender.
 */
export function senderOf({ id }: Pick<Caller, 'id'>, address: string | null): string {
  return `${id} ${addressGroup(address ?? '')}`;
}
