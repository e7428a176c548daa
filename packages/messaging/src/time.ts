/** JetStream configures durations in nanoseconds. */
export const nanosPerSecond = 1_000_000_000;
