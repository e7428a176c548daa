import { LeaseLost, type KeyedMutex, type Lease } from '@bomtrail/service-kit';
import type { CheckRecord, RecordStore } from '../store/record-store';

/** Stores what came of looking at rules. */
export interface Recorder {
  /**
   * Where storing fails after a message was sent, the record is kept in memory, until `storePending`.
   *
   * @throws LeaseLost when another process has taken the lease, which tells and stores for itself
   */
  store(record: CheckRecord, lease: Pick<Lease, 'guard'>): Promise<void>;
  /**
   * Stores what could not be stored of a rule before. Fails where that fails again: a rule whose telling
   * cannot be stored tells nothing more, instead of the same at every check.
   */
  storePending(ruleId: string, lease: Pick<Lease, 'guard'>): Promise<void>;
}

/** All records write the lease's document: at once they would only fight over it. */
const turn = 'record';

/** One for the life of a process, so that what was sent is not forgotten while the database is away. */
export function createRecorder(deps: {
  records: Pick<RecordStore, 'record'>;
  withKey: KeyedMutex;
}): Recorder {
  const left = new Map<string, CheckRecord>();

  async function store(record: CheckRecord, lease: Pick<Lease, 'guard'>): Promise<void> {
    const ruleId = record.rule._id;
    if (record.deliveries.length > 0) left.set(ruleId, record);
    try {
      await deps.withKey(turn, () => deps.records.record(record, lease));
    } catch (error) {
      if (error instanceof LeaseLost) left.delete(ruleId);
      throw error;
    }
    left.delete(ruleId);
  }

  return {
    store,
    async storePending(ruleId, lease) {
      const record = left.get(ruleId);
      if (record !== undefined) await store(record, lease);
    },
  };
}
