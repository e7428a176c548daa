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

/** A client that still sends can see the answer for so long; then the call is reset. */
const halfOpenMs = 1_000;

/**
 * Bounds every call before anything of it is kept: how many are open, how large their messages are, how long they
 * last. Refused calls end with RESOURCE_EXHAUSTED, late ones with DEADLINE_EXCEEDED.
 *
 * @param limitsOf the limits by method path; methods with the same object share them. A method without limits
 *   bounds its calls itself
 * @param proxyHops proxies in front that are believed
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
        refuse(status.RESOURCE_EXHAUSTED, 'Too many such calls are open. Close some, or wait.');
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

/** The library bounds a message by what the largest upload needs, for all methods alike. */
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

/** A client that never ends its side of a call that was answered would keep the stream alive. */
function endHalfOpen(stream: ServerHttp2Stream): void {
  stream.once('finish', () => {
    const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), halfOpenMs).unref();
    stream.once('close', () => clearTimeout(timer));
  });
}

/**
 * The HTTP/2 stream of a call. The library hides it behind a private field and has no other way to bound what is
 * read of it, or to end it.
 */
function streamUnder(call: ServerInterceptingCallInterface): ServerHttp2Stream {
  const { stream } = call as unknown as { stream?: ServerHttp2Stream };
  if (!stream) throw new Error('The gRPC library has no stream under a call any more.');
  return stream;
}
