import { AppError } from '@bomtrail/messages';

/** A place among those that are let in at once. */
export interface Place {
  /** The client has sent all of it: from now on the place depends on us alone. */
  received(): void;
  /** Gives the place to the next. Doing it again changes nothing. */
  leave(): void;
}

/** Lets so many in at once; the rest wait in the order they came. */
export interface Gate {
  /**
   * Resolves when it is one's turn.
   *
   * @param gone aborts when nobody waits for it any more
   * @param who who sends it: of all places, and of all that may wait, one sender has a share only
   * @throws AppError `service_unavailable` when too many wait already; the signal's reason
   */
  enter(gone: AbortSignal, who: string): Promise<Place>;
}

/**
 * A sender that is slow, by intent or not, leaves the rest to the others. It is counted against what is
 * being received only, so that whoever sends quickly has all places.
 */
const shareOfOne = 3 / 4;

interface Waiting {
  who: string;
  call(): void;
}

export function createGate(bounds: { atOnce: number; waiting: number }): Gate {
  const queue: Waiting[] = [];
  const receiving = new Map<string, number>();
  let inside = 0;
  const receivingAtMost = Math.ceil(bounds.atOnce * shareOfOne);
  const waitingAtMost = Math.ceil(bounds.waiting * shareOfOne);

  const fits = (who: string): boolean =>
    inside < bounds.atOnce && (receiving.get(who) ?? 0) < receivingAtMost;

  function take(who: string): Place {
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

  /** Nobody waits who could be let in: whoever is called has taken the place before anybody else comes. */
  function callNext(): void {
    while (inside < bounds.atOnce) {
      const at = queue.findIndex(({ who }) => fits(who));
      if (at < 0) return;
      queue.splice(at, 1)[0]?.call();
    }
  }

  function turn(gone: AbortSignal, who: string): Promise<Place> {
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
      if (queue.length < bounds.waiting && ofSender < waitingAtMost) return turn(gone, who);
      throw new AppError(
        'service_unavailable',
        'Too many uploads at once: repeat the request after Retry-After seconds.',
      );
    },
  };
}

/** One gate behind another: whoever is inside has a place in both. */
export function throughBoth(first: Gate, second: Gate): Gate {
  return {
    async enter(gone, who) {
      const one = await first.enter(gone, who);
      try {
        const other = await second.enter(gone, who);
        const both = [other, one];
        return {
          received: () => both.forEach((place) => place.received()),
          leave: () => both.forEach((place) => place.leave()),
        };
      } catch (error) {
        one.leave();
        throw error;
      }
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
