import { z } from 'zod';

/** A setting that is `true` or `false`; any other value is an error. */
export function trueOrFalse(byDefault: boolean) {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .default(byDefault ? 'true' : 'false')
    .transform((word) => word === 'true');
}
