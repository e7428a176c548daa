import type { Msg } from '@nats-io/transport-node';
import type { BusConnection } from './connect';
import { cancelledInbox } from './headers';

/** The caller of a request no longer wants its response. */
export class RequestCancelled extends Error {
  constructor() {
    super('The caller of the request has gone.');
    this.name = 'RequestCancelled';
  }
}

/** The requests of one subject in one process that their callers may cancel. */
export interface Cancellations {
  /** Runs the work of a request; `gone` aborts with `RequestCancelled` when the caller cancels it. */
  track(message: Msg, work: (gone: AbortSignal) => Promise<void>): Promise<void>;
  close(): void;
}

const never = new AbortController().signal;

/** @param cancelSubject undefined: no request can be cancelled */
export function openCancellations(
  bus: BusConnection,
  cancelSubject: string | undefined,
): Cancellations {
  if (cancelSubject === undefined)
    return { track: (_message, work) => work(never), close: () => {} };
  const tracked = new Map<string, AbortController>();
  const subscription = bus.nats.subscribe(cancelSubject, {
    callback: (error, message) => {
      if (error) {
        bus.log.error({ err: error, subject: cancelSubject }, 'A subscription failed.');
        return;
      }
      tracked.get(cancelledInbox(message.headers) ?? '')?.abort(new RequestCancelled());
    },
  });
  return {
    async track({ reply }, work) {
      if (!reply) return work(never);
      const gone = new AbortController();
      tracked.set(reply, gone);
      try {
        await work(gone.signal);
      } finally {
        tracked.delete(reply);
      }
    },
    close: () => {
      if (!bus.nats.isClosed() && !subscription.isClosed()) subscription.unsubscribe();
    },
  };
}
