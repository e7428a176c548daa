import { z } from 'zod';
import { rpc } from '../define';
import { id, instant } from './fields';

/** Maximum keys of a response. */
export const maxExpiringKeys = 1_000;

/** An API key that runs out. */
export interface ExpiringKey {
  id: string;
  prefix: string;
  name: string | null;
  expires_at: string;
}

/**
 * Keys of a project, or (null) of none, that are not revoked and run out after now and before this
 * time, the first ones first.
 */
export const listExpiringKeys = rpc<{ keys: ExpiringKey[] }>()({
  service: 'gateway',
  callers: ['notifier'],
  name: 'list-expiring-keys.v1',
  request: z.object({ project_id: id.nullable(), before: instant }),
});
