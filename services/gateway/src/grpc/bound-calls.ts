import { constants, type ServerHttp2Stream } from 'node:http2';
import { addressGroup } from '@bomtrail/http-edge';
import {
  ServerInterceptingCall,
  ServerListenerBuilder,
  status,
  type Metadata,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { clientOf } from './call-metadata';
import { createCallCount, type CallCount, type CallLimits } from './call-limits';

/** Time for a client that is still sending to read the response; then the call is reset. */
const halfOpenMs = 1_000;

/**
 * Limits calls before they are processed: number of open calls, size of messages, duration.
 * Rejected calls end with RESOURCE_EXHAUSTED, late ones with DEADLINE_EXCEEDED.
 *
 * @param limitsOf limits by method path; methods with the same object share them. A method without
 * limits
 * limits its calls itself
 * @param proxyHops number of trusted proxies in front
 */
export function boundCalls(
  limitsOf: ReadonlyMap<string, CallLimits>,
  proxyHops: number,
): ServerInterceptor {
  const counts = new Map<CallLimits, CallCount>();
  for (const limits of limitsOf.values()) counts.set(limits, createCallCount(limits));
  return (method, call) => {
    const stream = streamUnder(call);
    endHalfOpen(stream);
    const limits = limitsOf.get(method.path);
    const count = limits && counts.get(limits);
    if (!limits || !count) return new ServerInterceptingCall(call);
    return boundedCall(call, { stream, limits, count, proxyHops });
  };
}

function boundedCall(
  call: ServerInterceptingCallInterface,
  given: { stream: ServerHttp2Stream; limits: CallLimits; count: CallCount; proxyHops: number },
): ServerInterceptingCall {
  const { stream, limits, count, proxyHops } = given;
  const timers: NodeJS.Timeout[] = [];
  const refuse = (code: status, details: string): void =>
    call.sendStatus({ code, details, metadata: null });
  const endAfter = (ms: number | null, details: string): NodeJS.Timeout | undefined => {
    if (ms === null) return undefined;
    const timer = setTimeout(() => refuse(status.DEADLINE_EXCEEDED, details), ms).unref();
    timers.push(timer);
    return timer;
  };
  const enter = (metadata: Metadata): (() => void) | null => {
    const connection = call.getPeer();
    const address = clientOf({ metadata, getPeer: () => connection }, proxyHops);
    return count.enter({ client: addressGroup(address ?? ''), connection });
  };
  let sending: NodeJS.Timeout | undefined;
  const listener = new ServerListenerBuilder()
    .withOnReceiveMetadata((metadata, next) => {
      const leave = enter(metadata);
      if (!leave) {
        refuse(status.RESOURCE_EXHAUSTED, 'Too many open calls of this kind. Close some, or wait.');
        return;
      }
      stream.once('close', () => {
        leave();
        for (const timer of timers) clearTimeout(timer);
      });
      boundBytes(stream, limits.bytes, () =>
        refuse(status.RESOURCE_EXHAUSTED, `Send at most ${limits.bytes} bytes in this call.`),
      );
      sending = endAfter(limits.requestMs, 'The message took too long.');
      endAfter(limits.ageMs, 'The call was open for too long.');
      next(metadata);
    })
    .withOnReceiveHalfClose((next) => {
      clearTimeout(sending);
      next();
    })
    .build();
  return new ServerInterceptingCall(call, { start: (next) => next(listener) });
}

/** The library applies the size limit of the largest upload to all methods. */
function boundBytes(stream: ServerHttp2Stream, most: number, tooMany: () => void): void {
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received <= most) return;
    stream.off('data', count);
    tooMany();
  };
  stream.on('data', count);
}

/** A client that never closes its side would keep the stream open. */
function endHalfOpen(stream: ServerHttp2Stream): void {
  stream.once('finish', () => {
    const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), halfOpenMs).unref();
    stream.once('close', () => clearTimeout(timer));
  });
}

/**
 * The HTTP/2 stream of a call, a private field of the library, which has no other way to limit
 * reads or to end the stream.
 */
function streamUnder(call: ServerInterceptingCallInterface): ServerHttp2Stream {
  const { stream } = call as unknown as { stream?: ServerHttp2Stream };
  if (!stream) throw new Error('The gRPC library no longer exposes the stream of a call.');
  return stream;
}
