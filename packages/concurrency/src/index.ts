export { createBatcher, type Batched } from './batcher';
export { createBatchers, type BatchedByKey } from './batchers';
export { ownClock, type Clock } from './clock';
export { createFairSlots, type FairSlots } from './fair-slots';
export { createGroups, type Grouped } from './groups';
export { createKeyedMutex, type KeyedMutex } from './keyed-mutex';
export { createPauses, type Pauses } from './pauses';
export { singleFlight } from './single-flight';
export { withTimeout, TimeoutError } from './with-timeout';
