import type { GrpcClient } from '@bomtrail/reference-model';
import type { Caller } from '../load/caller';

/** Calls, and the longest of them. A call over REST lasts until its response is known, with all its repetitions. */
export interface RequestCounts {
  sent: number;
  slowestMs: number;
}

/** Counts calls of a caller; the witness counts their repetitions. */
export function countedCaller(caller: Caller, counts: RequestCounts): Caller {
  const timed = timing(counts);
  return {
    known: (call) => timed(() => caller.known(call)),
    json: <Body>(call: Parameters<Caller['json']>[0]) => timed(() => caller.json<Body>(call)),
  };
}

export function countedGrpc(grpc: GrpcClient, counts: RequestCounts): GrpcClient {
  const timed = timing(counts);
  return {
    upload: (...args) => timed(() => grpc.upload(...args)),
    check: (...args) => timed(() => grpc.check(...args)),
    close: () => grpc.close(),
  };
}

function timing(counts: RequestCounts): <Result>(call: () => Promise<Result>) => Promise<Result> {
  return async (call) => {
    counts.sent += 1;
    const begun = Date.now();
    try {
      return await call();
    } finally {
      counts.slowestMs = Math.max(counts.slowestMs, Date.now() - begun);
    }
  };
}
