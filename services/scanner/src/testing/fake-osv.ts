import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { osvJson, type AdvisoryFixture } from './feed-folder';
import { writeZip } from './write-zip';

/**
 * Fault of a path. `cut off`: the body ends early; `stall`: the body stops and the connection stays
 * open; `pause`: no response until healed.
 */
export type Fault =
  | { status: number }
  | { body: string | Buffer }
  | 'cut off'
  | 'stall'
  | 'reset'
  | 'pause';

export type FakeOsv = Awaited<ReturnType<typeof startFakeOsv>>;

interface FakeFile {
  body: Buffer;
  modified: Date;
}

const hour = 3600_000;
/** HTTP times are whole seconds. */
const wholeSeconds = (at: number) => new Date(Math.floor(at / 1000) * 1000);

/**
 * HTTP server with OSV's public layout: `<ecosystem>/all.zip`, `modified_id.csv` and `<id>.json`,
 * with ETags, Last-Modified and conditional requests. Source:
 * https://google.github.io/osv.dev/data/.
 */
export async function startFakeOsv() {
  const records = new Map<string, Map<string, { text: string; modified: string }>>();
  const listless = new Set<string>();
  const faults: { path: RegExp; fault: Fault }[] = [];
  const paused: (() => void)[] = [];
  const requests: { path: string; status: number }[] = [];
  let zipTime = Date.now() - 24 * hour;

  function fileAt(path: string): FakeFile | null {
    const [, folder = '', name = ''] = path.split('/').map(decodeURIComponent);
    const stored = records.get(folder);
    const modified = wholeSeconds(zipTime);
    if (!stored) return null;
    if (name === 'all.zip') {
      const files = [...stored].map(([id, { text }]) => [`${id}.json`, text]);
      return { body: writeZip(Object.fromEntries(files) as Record<string, string>), modified };
    }
    if (name === 'modified_id.csv') {
      if (listless.has(folder)) return null;
      const lines = [...stored].map(([id, one]) => `${one.modified},${id}\n`);
      return { body: Buffer.from(lines.sort().reverse().join('')), modified };
    }
    const one = stored.get(name.replace(/\.json$/, ''));
    return one ? { body: Buffer.from(one.text), modified } : null;
  }

  async function misbehave(
    fault: Fault,
    file: FakeFile | null,
    response: ServerResponse,
  ): Promise<'done' | 'answer'> {
    const body = file?.body ?? Buffer.from('{}');
    if (fault === 'pause') {
      await new Promise<void>((resolve) => paused.push(resolve));
      return 'answer';
    }
    if (fault === 'reset') response.socket?.resetAndDestroy();
    else if (fault === 'stall' || fault === 'cut off') {
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.subarray(0, Math.ceil(body.length / 2)));
      if (fault === 'cut off') setImmediate(() => response.destroy());
    } else if ('status' in fault) response.writeHead(fault.status).end();
    else response.writeHead(200, { etag: etagOf(Buffer.from(fault.body)) }).end(fault.body);
    return 'done';
  }

  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '';
      const fault = faults.find((one) => one.path.test(decodeURIComponent(path)))?.fault;
      if (fault !== undefined) {
        const ended = (await misbehave(fault, fileAt(path), response)) === 'done';
        if (ended) return void requests.push({ path, status: 0 });
      }
      const file = fileAt(path);
      const status = file === null ? 404 : isKnown(file, request.headers) ? 304 : 200;
      requests.push({ path, status });
      if (file === null) return void response.writeHead(404).end();
      const headers = { etag: etagOf(file.body), 'last-modified': file.modified.toUTCString() };
      response.writeHead(status, headers).end(status === 200 ? file.body : undefined);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Number of requests whose path has this end and that got the status. */
    count: (end: string, status: number) =>
      requests.filter((one) => decodeURIComponent(one.path).endsWith(end) && one.status === status)
        .length,

    put(ecosystem: string, fixture: AdvisoryFixture): void {
      const json = osvJson(ecosystem, fixture);
      const one = { text: JSON.stringify(json), modified: String(json['modified']) };
      records.set(ecosystem, (records.get(ecosystem) ?? new Map()).set(fixture.id, one));
    },

    /** Adds a record to the list, with this text as its file. */
    putText(ecosystem: string, id: string, one: { text: string; modified: string }): void {
      records.set(ecosystem, (records.get(ecosystem) ?? new Map()).set(id, one));
    },

    remove: (ecosystem: string, id: string) => void records.get(ecosystem)?.delete(id),

    /** Removes the list of modified records of the ecosystem. */
    withoutList: (ecosystem: string) => void listless.add(ecosystem),

    /** Sets the time of the zip. */
    setZipTime: (at: number) => void (zipTime = at),

    break: (path: RegExp, fault: Fault) => void faults.unshift({ path, fault }),

    heal(): void {
      faults.length = 0;
      for (const resolve of paused.splice(0)) resolve();
    },

    close(): void {
      this.heal();
      server.closeAllConnections();
      server.close();
    },
  };
}

function etagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
}

function isKnown(file: FakeFile, headers: NodeJS.Dict<string | string[]>): boolean {
  const tag = headers['if-none-match'];
  if (tag !== undefined) return tag === etagOf(file.body);
  const since = headers['if-modified-since'];
  return typeof since === 'string' && file.modified.getTime() <= Date.parse(since);
}
