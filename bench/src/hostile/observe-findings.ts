import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../measure/statistics';
import type { HostileContext } from './hostile-context';

/** Uploads by others beside a document with very many findings, and how long each took until it was scanned. */
export interface OtherUploads {
  milliseconds: number[];
  failures: number;
}

const idleUploads = 15;
const pauseMs = 200;
const longestMs = 300_000;
/** How much longer other uploads may take beside the document. */
const slowdown = 2;

/** What others see while nothing else happens. */
export async function uploadsWhenIdle(context: HostileContext): Promise<OtherUploads> {
  // The first ones fill caches.
  await uploadsUntil(context, countOf(5));
  return uploadsUntil(context, countOf(idleUploads));
}

/** One upload after the other, each with new package versions, until `isOver`. */
export async function uploadsUntil(
  { api, maker, signal, otherProjectId }: HostileContext,
  isOver: () => boolean,
): Promise<OtherUploads> {
  const seen: OtherUploads = { milliseconds: [], failures: 0 };
  while (!isOver()) {
    const begin = performance.now();
    const document = maker.newVersions(5);
    try {
      const upload = { projectId: otherProjectId, serviceName: 'other', document };
      const id = await api.upload(upload);
      while ((await api.readSbom(id, { waitSeconds: 30 })).scan_status === 'pending')
        if (performance.now() - begin > longestMs) throw new Error('It is not scanned in time.');
      seen.milliseconds.push(performance.now() - begin);
    } catch {
      signal.throwIfAborted();
      seen.failures += 1;
    }
    await sleep(pauseMs, undefined, { signal });
  }
  return seen;
}

function countOf(count: number): () => boolean {
  let begun = 0;
  return () => begun++ >= count;
}

export function judgeOthers(
  idle: OtherUploads,
  beside: OtherUploads,
): { notes: string[]; problems: string[] } {
  if (beside.milliseconds.length === 0)
    return { notes: [], problems: [`all ${beside.failures} uploads of others failed`] };
  const [before, during] = [percentile(idle.milliseconds, 50), percentile(beside.milliseconds, 50)];
  const worst = Math.max(...beside.milliseconds);
  const notes = [
    `others: median ${Math.round(before)} ms idle, ${Math.round(during)} ms beside (${beside.milliseconds.length} uploads, slowest ${Math.round(worst)} ms)`,
  ];
  const problems = [];
  if (beside.failures > 0) problems.push(`${beside.failures} uploads of others failed`);
  if (!(during <= slowdown * before))
    problems.push('uploads of others took more than twice as long');
  return { notes, problems };
}

/** Reads the document's detail, list, summary and verdict; each must tell of all vulnerabilities. */
export async function readFindings(
  { stack, transports, signal }: HostileContext,
  id: string,
  vulnerabilities: number,
): Promise<{ notes: string[]; problems: string[] }> {
  const notes: string[] = [];
  const problems: string[] = [];
  const headers = { authorization: `Bearer ${stack.apiKey}` };
  const get = async (path: string): Promise<Buffer> => {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
    const answer = await fetch(stack.baseUrl + path, { headers, signal: patience });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const read = async (what: string, path: string, totalOf: (body: Buffer) => number) => {
    const begin = performance.now();
    try {
      const total = totalOf(await get(path));
      notes.push(`${what}: ${total} in ${Math.round(performance.now() - begin)} ms`);
      if (total !== vulnerabilities) problems.push(`${what} tells of ${total}`);
    } catch (error) {
      problems.push(`${what} after ${Math.round(performance.now() - begin)} ms: ${String(error)}`);
    }
  };
  const project = `project_id=${transports.projectId}`;
  const parsed = (body: Buffer) => JSON.parse(body.toString()) as Record<string, unknown>;
  await read('list', `/api/v1/vulnerabilities/active?${project}`, (body) =>
    Number(parsed(body)['total']),
  );
  await read('summary', `/api/v1/vulnerabilities/summary?${project}`, (body) =>
    Number(parsed(body)['total']),
  );
  await read('verdict', `/api/v1/sboms/${id}/verdict`, (body) => {
    const counts = parsed(body)['counts'] as Record<string, number>;
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  });
  await read('detail', `/api/v1/sboms/${id}`, countRecords);
  return { notes, problems };
}

/** Without a parse: the text may be longer than a string can be. */
function countRecords(body: Buffer): number {
  const field = Buffer.from('"cve_id":');
  let count = 0;
  for (let at = body.indexOf(field); at >= 0; at = body.indexOf(field, at + field.length))
    count += 1;
  return count;
}
