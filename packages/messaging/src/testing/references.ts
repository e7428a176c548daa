import {
  reconcilerUploads,
  scanCompleted,
  type ConsumerDefinition,
  type SbomReference,
} from '@bomtrail/messages';

/** A message of the tests, one for each number. */
export function aReference(n: number): SbomReference {
  const id = (prefix: string) => `${prefix}0000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  return {
    sbom_id: id('a'),
    project_id: id('b'),
    service_id: id('c'),
    seq: 1,
    digest: 'd'.repeat(64),
    created_at: '2026-01-01T00:00:00.000Z',
    lane: 'upload',
    revision: 0,
    attempt: 0,
  };
}

/** A consumer of such messages that gives up soon. */
export function consumerOf(durable: string): ConsumerDefinition<SbomReference> {
  return {
    durable,
    service: 'reconciler',
    watchers: [],
    message: scanCompleted,
    filterSubject: reconcilerUploads.filterSubject,
    concurrency: 4,
    maxAttempts: 2,
  };
}
