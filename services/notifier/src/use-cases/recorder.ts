import type { KeyedMutex } from '@bomtrail/concurrency';
import { LeaseLost, type Lease } from '@bomtrail/mongo';
import type { CheckRecord, RecordStore } from '../store/record-store';

/** Stores outcomes of checks. */
export interface Recorder {
  /**
   * Stores a record. If that fails after a message was sent, the record stays in memory until
   * `storePending`.
   *
   * @throws LeaseLost if another process has taken the lease and will report and store itself
   */
  store(record: CheckRecord, lease: Pick<Lease, 'guard'>): Promise<void>;
  /**
   * Stores the pending record of a rule. Throws if that fails again: a rule whose outcome cannot be
   * stored sends nothing more, instead of a duplicate at every check.
   */
  storePending(ruleId: string, lease: Pick<Lease, 'guard'>): Promise<void>;
}

/** All records write the lease's document and would conflict. */
const mutexKey = 'record';

/** One per process, so that sent messages are remembered while the database is down. */
export function createRecorder(deps: {
  records: Pick<RecordStore, 'record'>;
  withKey: KeyedMutex;
}): Recorder {
  const pending = new Map<string, CheckRecord>();

  async function store(record: CheckRecord, lease: Pick<Lease, 'guard'>): Promise<void> {
    const ruleId = record.rule._id;
    if (record.deliveries.length > 0) pending.set(ruleId, record);
    try {
      await deps.withKey(mutexKey, () => deps.records.record(record, lease));
    } catch (error) {
      if (error instanceof LeaseLost) pending.delete(ruleId);
      throw error;
    }
    pending.delete(ruleId);
  }

  return {
    store,
    async storePending(ruleId, lease) {
      const record = pending.get(ruleId);
      if (record !== undefined) await store(record, lease);
    },
  };
}
