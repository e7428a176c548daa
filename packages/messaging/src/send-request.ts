import { NoRespondersError, TimeoutError, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { BusConnection } from './connect';
import { cancelled, heartbeatHeader } from './headers';

export interface OutgoingRequest {
  subject: string;
  payload: Uint8Array;
  headers: MsgHdrs;
  /** Milliseconds. */
  timeout: number;
  cancelSubject?: string | undefined;
  /** Aborts when the response is no longer wanted. */
  gone?: AbortSignal | undefined;
}

/** Interval of the heartbeats that a service sends while it handles a long request. */
export const responderHeartbeatMs = 2_000;
/** A responder without a heartbeat for this long is gone. */
export const silenceMs = 10_000;
/** Status of the reply that NATS sends when no one is subscribed. */
const noRespondersStatus = 503;

/**
 * Sends one request and resolves to its response. A request with a timeout above 10 seconds is sent with
 * heartbeats, so that a killed responder is noticed within seconds.
 *
 * @throws NoRespondersError, TimeoutError, the reason of a lost connection, or that of `gone`
 */
export async function sendRequest(bus: BusConnection, request: OutgoingRequest): Promise<Msg> {
  const lost = bus.untilLost();
  const response =
    request.timeout > silenceMs ? requestWithHeartbeats(bus, request) : requestOnce(bus, request);
  let onLost: () => void = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    onLost = () => reject(new TimeoutError());
    lost.addEventListener('abort', onLost, { once: true });
  });
  try {
    return await Promise.race([response, interrupted]);
  } finally {
    lost.removeEventListener('abort', onLost);
    response.catch(() => undefined);
  }
}

function requestOnce(bus: BusConnection, request: OutgoingRequest): Promise<Msg> {
  const { subject, payload, timeout, headers } = request;
  return bus.nats.request(subject, payload, { timeout, headers });
}

function requestWithHeartbeats(bus: BusConnection, request: OutgoingRequest): Promise<Msg> {
  const { subject, payload, headers, cancelSubject, gone } = request;
  headers.set(heartbeatHeader, '1');
  const inbox = bus.newInbox();
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      finish();
      reject(error);
    };
    const onSilence = (): void => fail(new TimeoutError());
    const onGone = (): void => {
      if (cancelSubject !== undefined && bus.isUp())
        bus.nats.publish(cancelSubject, undefined, { headers: cancelled(inbox) });
      fail(gone?.reason as Error);
    };
    gone?.addEventListener('abort', onGone, { once: true });
    const wholeTime = setTimeout(onSilence, request.timeout);
    let silence = setTimeout(onSilence, silenceMs);
    const subscription = bus.nats.subscribe(inbox, {
      callback: (error, message) => {
        if (error) return fail(error);
        if (message.data.length === 0 && message.headers?.code === noRespondersStatus) {
          return fail(new NoRespondersError(subject));
        }
        if (message.headers?.has(heartbeatHeader)) {
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
      gone?.removeEventListener('abort', onGone);
    }
    bus.nats.publish(subject, payload, { reply: inbox, headers });
  });
}
