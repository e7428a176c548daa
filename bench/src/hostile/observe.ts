import { setTimeout as sleep } from 'node:timers/promises';
import { forgetPeaks, readUsage } from '../measure/process-usage';
import type { Api } from '../load/api';
import type { SbomMaker } from '../sboms/variants';
import type { BenchStack } from '../stack/bench-stack';
import type { Answer, Doors, HostileInput } from './hostile-input';
import { outcomeOf } from './hostile-input';
import { judgeAnswers, judgeProcesses, tally, type HostileRow } from './judge';
import { worstDelaySince } from './loop-delays';

export interface HostileContext {
  stack: BenchStack;
  api: Api;
  doors: Doors;
  /** Makes the normal upload after each input. */
  maker: SbomMaker;
  /** Where the gateway tells that its loop came late. */
  probeFile: string;
  signal: AbortSignal;
  say: (line: string) => void;
}

export type ScanEnd = 'scanned' | 'failed' | 'pending';

const scanPatienceMs = 300_000;
const normalPatienceMs = 60_000;

/** Sends one input, waits for the scans of what was accepted, and for that of a normal upload. */
export async function observeInput(
  input: Omit<HostileInput, 'expected'> & { expected: HostileInput['expected'] | 'any refusal' },
  context: HostileContext,
): Promise<HostileRow> {
  const { stack, doors, say } = context;
  say(`${input.name}: ${input.what}`);
  const before = stack.processes();
  await forgetPeaks(before);
  const since = Date.now();
  const problems: string[] = [];
  const answers = await input.send(doors);
  problems.push(...judgeAnswers(answers, input.expected));
  const begin = performance.now();
  const scans = await Promise.all(acceptedIds(answers).map((id) => scanEnd(context, id)));
  const scanMilliseconds = performance.now() - begin;
  if (scans.includes('pending')) problems.push('an SBOM is not scanned');
  problems.push(...(await normalUpload(context)));
  const usage = await readUsage(stack.processes());
  problems.push(...judgeProcesses(before, usage));
  const [worst] = usage.toSorted((one, other) => other.peakRssBytes - one.peakRssBytes);
  return {
    name: input.name,
    what: input.what,
    outcomes: tally(answers.map(outcomeOf)),
    milliseconds: Math.max(...answers.map(({ milliseconds }) => milliseconds)),
    scans: tally(scans),
    scanMilliseconds,
    peakBytes: worst?.peakRssBytes ?? NaN,
    peakProcess: worst?.name ?? '',
    loop: worstDelaySince(context.probeFile, since),
    problems,
  };
}

/** The same SBOM is waited for once, however often its document was sent. */
function acceptedIds(answers: readonly Answer[]): string[] {
  return [...new Set(answers.flatMap(({ id }) => (id === null ? [] : [id])))];
}

async function scanEnd(
  { api, signal }: HostileContext,
  id: string,
  patienceMs = scanPatienceMs,
): Promise<ScanEnd> {
  const read = api.prepareRead(`/api/v1/sboms/${id}/coverage?per_page=1`);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { scan_status } = JSON.parse((await read()).toString()) as { scan_status: ScanEnd };
    if (scan_status !== 'pending' || performance.now() > deadline) return scan_status;
    await sleep(100, undefined, { signal });
  }
}

async function normalUpload(context: HostileContext): Promise<string[]> {
  const { doors, maker } = context;
  const answer = await doors.upload(maker.newIdentity());
  if (answer.id === null) return [`a normal upload was then answered ${outcomeOf(answer)}`];
  const end = await scanEnd(context, answer.id, normalPatienceMs);
  return end === 'scanned' ? [] : [`a normal upload was then ${end}`];
}
