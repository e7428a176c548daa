import { AppError } from '@bomtrail/messages';

/** A slot of an admission queue. */
export interface Slot {
  /** The client has sent everything, so many bytes; the slot no longer counts as receiving. */
  received(bytes: number): void;
  /** Releases the slot. Idempotent. */
  leave(): void;
}

/** Admits a bounded number of uploads; the others wait in order. */
export interface AdmissionQueue {
  /**
   * Resolves with a slot.
   *
   * @param gone aborts when the caller has disconnected
   * @param who the sender, which has a limited share of slots and of the queue
   * @throws AppError `service_unavailable` if the queue is full; the signal's reason
   */
  enter(gone: AbortSignal, who: string): Promise<Slot>;
}

/**
 * Share of slots for receiving per sender, so that a slow sender leaves some to others. Only
 * uploads being received count, so that a fast sender may use all slots.
 */
const shareOfOne = 3 / 4;

interface Waiting {
  who: string;
  call(): void;
}

/** @param bounds `what`: what is admitted, for the message when the queue is full; default: uploads */
export function createAdmissionQueue(bounds: {
  atOnce: number;
  waiting: number;
  what?: string;
}): AdmissionQueue {
  const queue: Waiting[] = [];
  const receiving = new Map<string, number>();
  let inside = 0;
  const receivingAtMost = Math.ceil(bounds.atOnce * shareOfOne);
  const waitingAtMost = Math.ceil(bounds.waiting * shareOfOne);

  const fits = (who: string): boolean =>
    inside < bounds.atOnce && (receiving.get(who) ?? 0) < receivingAtMost;

  function take(who: string): Slot {
    inside += 1;
    receiving.set(who, (receiving.get(who) ?? 0) + 1);
    const received = once(() => {
      const left = (receiving.get(who) ?? 0) - 1;
      if (left > 0) receiving.set(who, left);
      else receiving.delete(who);
    });
    const leave = once(() => {
      received();
      inside -= 1;
    });
    return {
      received: () => {
        received();
        callNext();
      },
      leave: () => {
        leave();
        callNext();
      },
    };
  }

  /** Admits all waiting uploads that fit. An admitted one takes its slot synchronously. */
  function callNext(): void {
    while (inside < bounds.atOnce) {
      const at = queue.findIndex(({ who }) => fits(who));
      if (at < 0) return;
      queue.splice(at, 1)[0]?.call();
    }
  }

  function waitForSlot(gone: AbortSignal, who: string): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const waiting = {
        who,
        call: (): void => {
          gone.removeEventListener('abort', left);
          resolve(take(who));
        },
      };
      const left = (): void => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(gone.reason as Error);
      };
      queue.push(waiting);
      gone.addEventListener('abort', left, { once: true });
    });
  }

  return {
    async enter(gone, who) {
      gone.throwIfAborted();
      if (fits(who)) return take(who);
      const ofSender = queue.filter((waiting) => waiting.who === who).length;
      if (queue.length < bounds.waiting && ofSender < waitingAtMost) return waitForSlot(gone, who);
      throw new AppError(
        'service_unavailable',
        `Too many ${bounds.what ?? 'uploads'}: repeat the request after the seconds in Retry-After.`,
      );
    },
  };
}

/** Two queues in sequence: a slot in both. */
export function throughBoth(first: AdmissionQueue, second: AdmissionQueue): AdmissionQueue {
  return {
    async enter(gone, who) {
      const one = await first.enter(gone, who);
      try {
        const other = await second.enter(gone, who);
        const both = [other, one];
        return {
          received: (bytes) => both.forEach((slot) => slot.received(bytes)),
          leave: () => both.forEach((slot) => slot.leave()),
        };
      } catch (error) {
        one.leave();
        throw error;
      }
    },
  };
}

/**
 * A queue that bounds memory: a slot is released as soon as an upload is received and small, so that
 * it counts only while its size is unknown or large.
 *
 * @param smallBytes the maximum size of a small upload
 */
export function releasingSmall(queue: AdmissionQueue, smallBytes: number): AdmissionQueue {
  return {
    async enter(gone, who) {
      const slot = await queue.enter(gone, who);
      return {
        received(bytes) {
          if (bytes <= smallBytes) slot.leave();
          else slot.received(bytes);
        },
        leave: () => slot.leave(),
      };
    },
  };
}

/** A queue whose slots are used after `pass` has resolved. */
export function passing(queue: AdmissionQueue, pass: () => Promise<void>): AdmissionQueue {
  return {
    async enter(gone, who) {
      const slot = await queue.enter(gone, who);
      await pass();
      return slot;
    },
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
