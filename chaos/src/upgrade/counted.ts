import type { GrpcClient } from '@bomtrail/reference-model';
import type { Caller } from '../load/caller';

/** What was sent, with repetitions, and the longest time to a response. */
export interface RequestCounts {
  sent: number;
  slowestMs: number;
}

/** Counts requests of a caller; a repeated one counts in the witness. */
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

function timing(counts: RequestCounts): <Result>(ask: () => Promise<Result>) => Promise<Result> {
  return async (ask) => {
    counts.sent += 1;
    const begun = Date.now();
    try {
      return await ask();
    } finally {
      counts.slowestMs = Math.max(counts.slowestMs, Date.now() - begun);
    }
  };
}
