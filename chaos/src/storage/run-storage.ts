import { writeJson } from '../command';
import { momentOfFullDisk } from './full-disk';
import { fullJetStream } from './full-jetstream';
import { renderOutcomes } from './report';

/** Runs both experiments, each on a stack of its own, and prints what came of them. Gives the exit code. */
export async function runStorage(
  say: (line: string) => void,
  json: string | undefined,
): Promise<number> {
  const outcomes = [await momentOfFullDisk(say), await fullJetStream(say)];
  console.log(renderOutcomes(outcomes));
  const problems = outcomes.flatMap((one) => one.problems.map((what) => `${one.name}: ${what}`));
  for (const problem of problems) console.log(problem);
  if (json !== undefined) writeJson(outcomes, json);
  return problems.length > 0 ? 1 : 0;
}
