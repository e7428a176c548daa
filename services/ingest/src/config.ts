import { garbageGraceSeconds } from '@bomtrail/deletion';
import { commonSettings } from '@bomtrail/service-runtime';
import { z } from 'zod';

export const settings = commonSettings.extend({
  BOMTRAIL_GARBAGE_GRACE_SECONDS: garbageGraceSeconds,
  MAX_COMPONENTS: z.coerce
    .number('must be a number')
    .int()
    .min(1)
    .max(5_000_000)
    .default(500_000)
    .describe('Maximum number of components in one document; more are rejected with 413'),
  PARSER_THREADS: z.coerce
    .number('must be a number')
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe('Worker threads that parse documents and compare component sets'),
});

export type Settings = z.infer<typeof settings>;
