import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '@bomtrail/embedded';
import { fates, noFaults, type Fate, type FaultShares } from './faults';

/** An accepted message. */
export interface AcceptedMessage {
  /** Channel name passed to `url`. */
  channel: string;
  body: unknown;
  at: Date;
}

export interface WebhookFakeOptions {
  /** Seed of the draws for `faults`; 1 by default. */
  seed?: number;
  faults?: Partial<FaultShares>;
  /** Delay of a 429 in seconds; 1 by default. */
  retryAfterSeconds?: number;
  /** Format of Retry-After; `seconds` by default. */
  retryAfterAs?: 'seconds' | 'date';
}

/** A webhook endpoint on 127.0.0.1 that stores valid messages and rejects what the real service would. */
export interface WebhookFake {
  /** URL of a channel (letters, digits, hyphens); each channel has its own limits. */
  url(channel?: string): string;
  /** In order of arrival. */
  readonly accepted: readonly AcceptedMessage[];
  /** Reasons of the rejected messages. */
  readonly refused: readonly string[];
  /** Calls by outcome; `early`: before the end of a Retry-After. */
  readonly counts: Readonly<Record<Fate | 'refused' | 'early', number>>;
  /** Applies to later calls. */
  setFaults(faults: Partial<FaultShares>): void;
  /** Also cuts hanging connections. */
  stop(): Promise<void>;
}

export interface FakeResponse {
  status: number;
  body: string;
}

/** A call as it came. */
export interface ReceivedCall {
  text: string;
  headers: IncomingMessage['headers'];
}

/** Specifics of a chat service. */
export interface WebhookService {
  /** Path before the channel name; begins and ends with a slash. */
  path: string;
  /** Returns why a message is invalid; undefined: valid. */
  fault(body: unknown, call: ReceivedCall): string | undefined;
  /** Error responses; `unknown`: no such webhook. */
  responses: Record<'failing' | 'refused' | 'unknown', FakeResponse>;
  /** Response to an accepted message. */
  served(query: URLSearchParams): FakeResponse;
  /** Headers of every response; `wait`: seconds of a 429. */
  headers(wait: number | undefined): Record<string, string>;
  /** The body of a 429. */
  limited(seconds: number): string;
}

const largestBody = 1024 * 1024;

export async function startWebhookFake(
  service: WebhookService,
  options: WebhookFakeOptions,
): Promise<WebhookFake> {
  const accepted: AcceptedMessage[] = [];
  const refused: string[] = [];
  const counts = { served: 0, ...noFaults, refused: 0, early: 0 };
  const fateOf = fates(options.seed ?? 1);
  const quietUntil = new Map<string, number>();
  const seconds = options.retryAfterSeconds ?? 1;
  let shares: FaultShares = { ...noFaults, ...options.faults };

  function limit(response: ServerResponse, channel: string): void {
    const until = Date.now() + seconds * 1000;
    quietUntil.set(channel, until);
    // HTTP dates have whole seconds: round up.
    const date = new Date(Math.ceil(until / 1000) * 1000).toUTCString();
    const retryAfter = { 'Retry-After': options.retryAfterAs === 'date' ? date : String(seconds) };
    response
      .writeHead(429, { ...service.headers(seconds), ...retryAfter })
      .end(service.limited(seconds));
  }

  function say(response: ServerResponse, { status, body }: FakeResponse): void {
    response.writeHead(status, service.headers(undefined)).end(body);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const channel = path.slice(service.path.length);
    if (request.method !== 'POST' || !path.startsWith(service.path) || channel === '') {
      say(response, service.responses.unknown);
      return;
    }
    const text = await bodyOf(request);
    if (Date.now() < (quietUntil.get(channel) ?? 0)) {
      counts.early += 1;
      limit(response, channel);
      return;
    }
    const fate = fateOf(shares);
    counts[fate] += 1;
    if (fate === 'hanging') return;
    if (fate === 'limited') {
      limit(response, channel);
      return;
    }
    if (fate === 'limitedMutely') {
      response.writeHead(429).end();
      return;
    }
    if (fate === 'failing') {
      say(response, service.responses.failing);
      return;
    }
    const { body, fault } = checked(text, request, service);
    if (fault !== undefined) {
      counts[fate] -= 1;
      counts.refused += 1;
      refused.push(fault);
      say(response, service.responses.refused);
      return;
    }
    accepted.push({ channel, body, at: new Date() });
    if (fate === 'cutAfter') {
      request.socket.destroy();
      return;
    }
    say(response, service.served(new URLSearchParams(query)));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await freePort();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: (channel = 'one') => `http://127.0.0.1:${port}${service.path}${channel}`,
    accepted,
    refused,
    counts,
    setFaults: (faults) => {
      shares = { ...noFaults, ...faults };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function checked(
  text: string,
  request: IncomingMessage,
  service: WebhookService,
): { body: unknown; fault: string | undefined } {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return { body: undefined, fault: 'no JSON by its Content-Type' };
  }
  try {
    const body: unknown = JSON.parse(text);
    return { body, fault: service.fault(body, { text, headers: request.headers }) };
  } catch (error) {
    return { body: undefined, fault: String(error) };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    if (bytes > largestBody) throw new Error('too large');
    parts.push(part);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
}
