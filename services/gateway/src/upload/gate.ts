import { AppError } from '@bomtrail/messages';

/** Lets so many in at once; the rest wait in the order they came. */
export interface Gate {
  /**
   * Resolves when it is one's turn, with the way out.
   *
   * @param gone aborts when nobody waits for it any more
   * @throws AppError `service_unavailable` when too many wait already; the signal's reason
   */
  enter(gone: AbortSignal): Promise<() => void>;
}

export function createGate(bounds: { atOnce: number; waiting: number }): Gate {
  const queue: (() => void)[] = [];
  let inside = 0;

  function leaveOnce(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      // Who waits takes over the place itself, so that nobody slips in between.
      const next = queue.shift();
      if (next) next();
      else inside -= 1;
    };
  }

  return {
    async enter(gone) {
      gone.throwIfAborted();
      if (inside < bounds.atOnce) inside += 1;
      else if (queue.length < bounds.waiting) await turn(queue, gone);
      else {
        throw new AppError(
          'service_unavailable',
          'Too many uploads at once: repeat the request after Retry-After seconds.',
        );
      }
      return leaveOnce();
    },
  };
}

/** One gate behind another: whoever is inside has a place in both. */
export function throughBoth(first: Gate, second: Gate): Gate {
  return {
    async enter(gone) {
      const leaveFirst = await first.enter(gone);
      try {
        const leaveSecond = await second.enter(gone);
        return () => {
          leaveSecond();
          leaveFirst();
        };
      } catch (error) {
        leaveFirst();
        throw error;
      }
    },
  };
}

function turn(queue: (() => void)[], gone: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const called = (): void => {
      gone.removeEventListener('abort', left);
      resolve();
    };
    const left = (): void => {
      queue.splice(queue.indexOf(called), 1);
      reject(gone.reason as Error);
    };
    queue.push(called);
    gone.addEventListener('abort', left, { once: true });
  });
}
