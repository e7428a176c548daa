import type { AdmissionQueue, Slot } from './admission-queue';

/** From this many uploads on they are announced: a few at a time need no help. */
const many = 8;
const everyMs = 100;

/**
 * The same queue; while many uploads are in it or have a slot, `announce` is called, at most every
 * 100 ms.
 */
export function announceWaiting(queue: AdmissionQueue, announce: () => void): AdmissionQueue {
  let uploads = 0;
  let announcedAt = Number.NEGATIVE_INFINITY;

  function announceIfMany(): void {
    const now = performance.now();
    if (uploads < many || now - announcedAt < everyMs) return;
    announcedAt = now;
    announce();
  }

  function leaveOnce({ received, leave }: Slot): Slot {
    let left = false;
    return {
      received,
      leave() {
        if (!left) uploads -= 1;
        left = true;
        leave();
        announceIfMany();
      },
    };
  }

  return {
    async enter(gone, who) {
      uploads += 1;
      announceIfMany();
      try {
        return leaveOnce(await queue.enter(gone, who));
      } catch (error) {
        uploads -= 1;
        throw error;
      }
    },
  };
}
