import { connect } from 'node:net';

/** An answer as it came over the line. */
export interface WireAnswer {
  status: number;
  /** Names in lower case; a header that came twice is joined by a comma. */
  headers: Map<string, string>;
  text: string;
}

/** What is written to a socket, in this order. */
export interface WireRequest {
  bytes: readonly Buffer[];
  /** Before each further piece of `bytes`. */
  pauseMs?: number;
  /** The client closes its half of the line after the last byte. */
  halfClose?: boolean;
  /** After so long without an answer the client closes its half of the line. */
  giveUpMs?: number;
}

const patienceMs = 20_000;

/**
 * Writes bytes to a fresh connection and reads one answer.
 *
 * @returns the first final answer; null when the line was closed without any
 * @throws Error when nothing comes in time, or the answer is cut or no HTTP
 */
export function exchange(port: number, request: WireRequest): Promise<WireAnswer | null> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const timers: NodeJS.Timeout[] = [];
    const finish = (outcome: () => void): void => {
      socket.destroy();
      for (const timer of timers) clearTimeout(timer);
      outcome();
    };
    const check = (isOver: boolean): void => {
      try {
        const answer = readAnswer(Buffer.concat(received));
        if (answer !== 'incomplete') finish(() => resolve(answer));
        else if (isOver && received.length === 0) finish(() => resolve(null));
        else if (isOver) throw new Error('The answer was cut.');
      } catch (error) {
        finish(() => reject(error as Error));
      }
    };
    timers.push(
      setTimeout(() => finish(() => reject(new Error('No answer.'))), patienceMs),
      setTimeout(() => socket.end(), request.giveUpMs ?? patienceMs),
    );
    socket.on('data', (chunk) => {
      received.push(chunk);
      check(false);
    });
    socket.on('end', () => check(true));
    // A server that refuses a body may close the line while we still send: its answer counts.
    socket.on('error', () => check(true));
    socket.on('connect', () => void send());
    async function send(): Promise<void> {
      for (const [index, bytes] of request.bytes.entries()) {
        if (index > 0) await new Promise((next) => setTimeout(next, request.pauseMs ?? 0));
        if (!socket.writable) return;
        socket.write(bytes);
      }
      if (request.halfClose) socket.end();
    }
  });
}

/** Reads an HTTP/1.1 answer to anything but a `HEAD`, passing over a `100 Continue`. */
function readAnswer(bytes: Buffer): WireAnswer | 'incomplete' {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return 'incomplete';
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const rest = bytes.subarray(headEnd + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (!status) throw new Error(`No HTTP answer: ${statusLine}`);
  if (status === 100) return readAnswer(rest);
  const headers = headersOf(lines);
  const isChunked = headers.get('transfer-encoding') === 'chunked';
  const length = Number(headers.get('content-length') ?? 0);
  const body = isChunked ? dechunk(rest) : rest.length >= length ? rest.subarray(0, length) : null;
  return body === null ? 'incomplete' : { status, headers, text: body.toString('utf8') };
}

function headersOf(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    const value = line.slice(at + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  return headers;
}

/** null while the last chunk is not there. */
function dechunk(bytes: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd < 0 ? NaN : parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) return null;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
