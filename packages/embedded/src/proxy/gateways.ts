/** A gateway on this machine: port of its REST API, and internal port for readiness. */
export interface GatewayPorts {
  rest: number;
  internal: number;
}

/** The gateways behind the proxy. */
export interface Gateways {
  /** REST ports in the order to try: ready gateways first, round robin. */
  roundRobin(): number[];
  stop(): void;
}

/** Poll interval: several polls within the `SHUTDOWN_DRAIN_SECONDS` of a stopping gateway. */
const pollMs = 250;

/** Parses `8081/9091,8082/9092`: REST and internal port of each gateway. @throws Error if malformed */
export function parseGateways(text: string | undefined): GatewayPorts[] {
  return (text ?? '').split(',').map((one) => {
    const [, rest, internal] = /^(\d+)\/(\d+)$/.exec(one) ?? [];
    if (rest === undefined) throw new Error('GATEWAYS must read <REST port>/<internal port>,…');
    return { rest: Number(rest), internal: Number(internal) };
  });
}

/** Polls the readiness of each gateway if there are several. */
export function watchGateways(gateways: readonly GatewayPorts[]): Gateways {
  const unready = new Set<GatewayPorts>();
  let turn = 0;
  const check = async (gateway: GatewayPorts): Promise<void> => {
    const isReady = await readiness(gateway.internal);
    if (isReady) unready.delete(gateway);
    else unready.add(gateway);
  };
  const looking =
    gateways.length > 1
      ? setInterval(() => void Promise.all(gateways.map(check)), pollMs)
      : undefined;
  return {
    roundRobin() {
      turn = (turn + 1) % gateways.length;
      const round = [...gateways.slice(turn), ...gateways.slice(0, turn)];
      const rest = (wanted: boolean): number[] =>
        round.filter((one) => unready.has(one) === wanted).map((one) => one.rest);
      return [...rest(false), ...rest(true)];
    },
    stop: () => clearInterval(looking),
  };
}

async function readiness(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(pollMs * 4);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
