import { setTimeout as sleep } from 'node:timers/promises';
import { forgetPeaks, readUsage } from '../measure/process-usage';
import type { HostileContext } from './hostile-context';
import type { Answer, HostileInput } from './hostile-input';
import { outcomeOf } from './hostile-input';
import { judgeResponses, judgeProcesses, tally } from './judge';
import type { AcceptedOrRefused, HostileRow } from './judge';
import { worstDelaySince } from './loop-delays';
import { judgeOthers, readFindings, uploadsUntil, uploadsWhenIdle } from './observe-findings';

export type ScanEnd = 'scanned' | 'failed' | 'pending';

const scanPatienceMs = 300_000;
const normalPatienceMs = 60_000;
/** A document with very many findings takes minutes; who waits less does not see how it ends. */
const findingsPatienceMs = 1_800_000;

/** Sends one input, waits for the scans of what was accepted, and for that of a normal upload. */
export async function observeInput(
  input: Omit<HostileInput, 'expected'> & {
    expected: HostileInput['expected'] | AcceptedOrRefused;
  },
  context: HostileContext,
): Promise<HostileRow> {
  const { stack, transports, say } = context;
  say(`${input.name}: ${input.what}`);
  const idle = input.vulnerabilities === undefined ? null : await uploadsWhenIdle(context);
  const before = stack.processes();
  await forgetPeaks(before);
  const since = Date.now();
  const problems: string[] = [];
  const responses = await input.send(transports);
  problems.push(...judgeResponses(responses, input.expected));
  const begin = performance.now();
  const patienceMs = idle ? findingsPatienceMs : scanPatienceMs;
  const ids = acceptedIds(responses);
  let over = false;
  const beside = idle && uploadsUntil(context, () => over);
  const scans = await Promise.all(ids.map((id) => scanEnd(context, id, patienceMs)));
  over = true;
  const scanMilliseconds = performance.now() - begin;
  if (scans.includes('pending')) problems.push('an SBOM is not scanned');
  const notes: string[] = [];
  const addOutcome = (more: { notes: string[]; problems: string[] }): void => {
    notes.push(...more.notes);
    problems.push(...more.problems);
  };
  if (idle && beside) addOutcome(judgeOthers(idle, await beside));
  if (input.vulnerabilities === undefined) problems.push(...(await normalUpload(context)));
  else for (const id of ids) addOutcome(await readFindings(context, id, input.vulnerabilities));
  const usage = await readUsage(stack.processes());
  problems.push(...judgeProcesses(before, usage));
  const [worst] = usage.toSorted((one, other) => other.peakRssBytes - one.peakRssBytes);
  return {
    name: input.name,
    what: input.what,
    outcomes: tally(responses.map(outcomeOf)),
    milliseconds: Math.max(...responses.map(({ milliseconds }) => milliseconds)),
    scans: tally(scans),
    scanMilliseconds,
    peakBytes: worst?.peakRssBytes ?? NaN,
    peakProcess: worst?.name ?? '',
    loop: worstDelaySince(context.probeFile, since),
    notes,
    problems,
  };
}

/** The same SBOM is waited for once, however often its document was sent. */
function acceptedIds(responses: readonly Answer[]): string[] {
  return [...new Set(responses.flatMap(({ id }) => (id === null ? [] : [id])))];
}

async function scanEnd(
  { api, signal }: HostileContext,
  id: string,
  patienceMs = scanPatienceMs,
): Promise<ScanEnd> {
  const read = api.prepareRead(`/api/v1/sboms/${id}/coverage?per_page=1`);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { scan_status } = await statusOf(read, patienceMs > scanPatienceMs);
    if (scan_status !== 'pending' || performance.now() > deadline) return scan_status;
    await sleep(100, undefined, { signal });
  }
}

/** @param isPatient also an answer that fails is asked for again */
async function statusOf(
  read: () => Promise<Buffer>,
  isPatient: boolean,
): Promise<{ scan_status: ScanEnd }> {
  try {
    return JSON.parse((await read()).toString()) as { scan_status: ScanEnd };
  } catch (error) {
    if (isPatient) return { scan_status: 'pending' };
    throw error;
  }
}

async function normalUpload(context: HostileContext): Promise<string[]> {
  const { transports, maker } = context;
  const answer = await transports.upload(maker.newIdentity());
  if (answer.id === null) return [`a normal upload was then answered ${outcomeOf(answer)}`];
  const end = await scanEnd(context, answer.id, normalPatienceMs);
  return end === 'scanned' ? [] : [`a normal upload was then ${end}`];
}
