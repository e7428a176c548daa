import { randomBytes } from 'node:crypto';

/** A prefix for database names that no other test file uses, such as `t_3f9a0c81d2_`. */
export function uniquePrefix(): string {
  return `t_${randomBytes(5).toString('hex')}_`;
}
