import { NoRespondersError, TimeoutError, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { BusConnection } from './connect';
import { patientHeader } from './headers';

export interface Question {
  subject: string;
  payload: Uint8Array;
  headers: MsgHdrs;
  /** Milliseconds. */
  timeout: number;
}

/** A service that works on a long question says so this often. */
export const signOfLifeMs = 2_000;
/** Without one for this long, its process has ended. */
const silenceMs = 10_000;
/** The status that NATS answers with when nobody listens. */
const nobodyListens = 503;

/**
 * Asks one question and gives the answer. A question that may take longer than a process's silence
 * is waited for by signs of life, so that a killed process is noticed in seconds.
 *
 * @throws NoRespondersError, TimeoutError, or the reason of a lost connection
 */
export async function ask(bus: BusConnection, question: Question): Promise<Msg> {
  const lost = bus.untilLost();
  const answer =
    question.timeout > silenceMs ? askPatiently(bus, question) : askShortly(bus, question);
  let onLost: () => void = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    onLost = () => reject(new TimeoutError());
    lost.addEventListener('abort', onLost, { once: true });
  });
  try {
    return await Promise.race([answer, interrupted]);
  } finally {
    lost.removeEventListener('abort', onLost);
    answer.catch(() => undefined);
  }
}

function askShortly(bus: BusConnection, question: Question): Promise<Msg> {
  const { subject, payload, timeout, headers } = question;
  return bus.nats.request(subject, payload, { timeout, headers });
}

function askPatiently(bus: BusConnection, question: Question): Promise<Msg> {
  const { subject, payload, headers } = question;
  headers.set(patientHeader, '1');
  const inbox = bus.newInbox();
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      finish();
      reject(error);
    };
    const onSilence = (): void => fail(new TimeoutError());
    const wholeTime = setTimeout(onSilence, question.timeout);
    let silence = setTimeout(onSilence, silenceMs);
    const subscription = bus.nats.subscribe(inbox, {
      callback: (error, message) => {
        if (error) return fail(error);
        if (message.data.length === 0 && message.headers?.code === nobodyListens) {
          return fail(new NoRespondersError(subject));
        }
        if (message.headers?.has(patientHeader)) {
          clearTimeout(silence);
          silence = setTimeout(onSilence, silenceMs);
          return;
        }
        finish();
        resolve(message);
      },
    });
    function finish(): void {
      clearTimeout(wholeTime);
      clearTimeout(silence);
      subscription.unsubscribe();
    }
    bus.nats.publish(subject, payload, { reply: inbox, headers });
  });
}
