import { outcomeOf, type Answer } from './hostile-input';
import type { LoopDelay } from './loop-delays';

/** What came of one hostile input. */
export interface HostileRow {
  name: string;
  what: string;
  /** Each outcome with how often it came. */
  outcomes: Record<string, number>;
  /** The slowest answer. */
  milliseconds: number;
  /** How the scans of what was accepted ended, with how often; `pending`: not in time. */
  scans: Record<string, number>;
  scanMilliseconds: number;
  /** The most resident memory of any one process, and which one. */
  peakBytes: number;
  peakProcess: string;
  loop: LoopDelay;
  /** What else was measured. */
  notes: string[];
  /** What must not be. */
  problems: string[];
}

/** Bounds that every input must keep. */
export const limits = { processBytes: 1024 ** 3, loopBlockedMs: 100 };

const decided5xx = '503 service_unavailable';

/** What mutants of documents may be answered: some are still valid, all others are refused with a code. */
export type AcceptedOrRefused = '200 or any refusal' | '201 or any refusal';

/** What is wrong with the answers to one input; nothing where each is one of those expected. */
export function judgeResponses(
  handles: readonly Pick<Answer, 'status' | 'code'>[],
  expected: readonly string[] | AcceptedOrRefused,
): string[] {
  const outcomes = new Set(handles.map((answer) => outcomeOf(answer as Answer)));
  return [...outcomes]
    .filter((outcome) => !isExpected(outcome, expected))
    .map((outcome) => `answered ${outcome}`);
}

function isExpected(outcome: string, expected: readonly string[] | AcceptedOrRefused): boolean {
  if (outcome === decided5xx) return true;
  if (typeof expected !== 'string') return expected.includes(outcome);
  return expected.startsWith(`${outcome} or`) || /^4\d\d [a-z_]+$/.test(outcome);
}

/** What is wrong with the processes: one that is gone or another one now, or one that took too much. */
export function judgeProcesses(
  before: readonly { name: string; pid: number }[],
  after: readonly { name: string; pid: number; peakRssBytes: number }[],
): string[] {
  return before.flatMap(({ name, pid }) => {
    const now = after.find((one) => one.name === name);
    if (now?.pid !== pid) return [`${name} was restarted`];
    return now.peakRssBytes > limits.processBytes ? [`${name} passed 1 GiB`] : [];
  });
}

export function isLoopBlocked({ loop }: Pick<HostileRow, 'loop'>): boolean {
  return loop.cpuMs > limits.loopBlockedMs;
}

/** How often each text comes. */
export function tally(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
