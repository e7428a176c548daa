import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { BenchFailure } from '../bench-failure';
import type { BenchDeps } from '../run-bench';
import { loadBaseDocument } from '../sboms/base-document';
import { createSbomMaker } from '../sboms/variants';
import { chooseAdvisories } from '../stack/advisories';
import { withStack } from '../stack/with-stack';
import { mutantsInput, spdx3MutantsInput, vexMutantsInput } from './fuzz/mutants-input';
import type { HostileContext } from './hostile-context';
import { renderHostile } from './hostile-table';
import { bigInputs } from './inputs/big';
import { checkInputs } from './inputs/checks';
import { findingInputs } from './inputs/findings';
import { floodInputs } from './inputs/floods';
import { lineInputs } from './inputs/lines';
import { oddInputs } from './inputs/odd';
import { isLoopBlocked, type HostileRow } from './judge';
import { probeEnvironment } from './loop-delays';
import { observeInput } from './observe';
import { openTransports } from './open-transports';

export interface HostileArguments {
  seed: number;
  /** Mutants that are sent. */
  documents: number;
  /** Names of inputs, `fuzz` among them; undefined: all. */
  only?: string[];
  json?: string;
  /** A blocked event loop fails the command, too. */
  strict: boolean;
}

type Observed = Parameters<typeof observeInput>[0];

/**
 * Sends every hostile input to a stack of its own and gives the table. Throws a `BenchFailure` with the table
 * when something came that must not be.
 */
export async function runHostile(args: HostileArguments, deps: BenchDeps): Promise<string> {
  deps.say(`seed ${args.seed}`);
  const rows = await observeAll(chosenInputs(args, deps.say), deps);
  if (args.json !== undefined) writeFileSync(args.json, JSON.stringify({ ...args, rows }, null, 2));
  const table = renderHostile(rows);
  const isBad = rows.some((row) => row.problems.length > 0 || (args.strict && isLoopBlocked(row)));
  if (isBad) throw new BenchFailure(`not as expected\n${table}`);
  return table;
}

function chosenInputs(args: HostileArguments, say: BenchDeps['say']): Observed[] {
  const { seed, documents, only } = args;
  const usual: Observed[] = [oddInputs, lineInputs, bigInputs, checkInputs, floodInputs].flat();
  const fixed = [...usual, ...findingInputs];
  const all = Array.from({ length: documents }, (_, number) => number);
  const allMutants = { seed, numbers: all, say };
  const mutants = { fuzz: mutantsInput, spdx3: spdx3MutantsInput, vex: vexMutantsInput };
  if (only === undefined)
    return [...usual, ...Object.values(mutants).map((inputOf) => inputOf(allMutants))];
  return only.map((name) => {
    const [, kind, number] = /^(fuzz|spdx3|vex)(?:-(\d+))?$/.exec(name) ?? [];
    if (kind !== undefined) {
      const numbers = number === undefined ? all : [Number(number)];
      return mutants[kind as keyof typeof mutants]({ seed, numbers, say });
    }
    const input = fixed.find((known) => known.name === name);
    if (input !== undefined) return input;
    const names = fixed.map((known) => known.name).join(', ');
    throw new BenchFailure(
      `--only ${name}: there are ${names}, fuzz, fuzz-N, spdx3, spdx3-N, vex, vex-N`,
    );
  });
}

function observeAll(inputs: readonly Observed[], deps: BenchDeps): Promise<HostileRow[]> {
  const { signal, say } = deps;
  return withTemporaryFolder('hostile', async (folder) => {
    const probeFile = join(folder, 'loop-delays.ndjson');
    const advisories = chooseAdvisories(join(folder, 'advisories'));
    const preparations = new Set(inputs.flatMap(({ prepare }) => prepare ?? []));
    for (const prepare of preparations) prepare(advisories.folder);
    const advisorySource = preparations.size > 0 ? advisories.folder : advisories.source;
    const env = probeEnvironment(probeFile);
    const options = { dataDir: join(folder, 'data'), advisorySource, env, ...deps };
    return withStack(options, async (stack, api) => {
      const projectId = await api.createProject('Hostile');
      const otherProjectId = await api.createProject('Others');
      const transports = openTransports(stack, { projectId, signal });
      const base = loadBaseDocument();
      const maker = createSbomMaker(base.document, base.bytes);
      const context: HostileContext = {
        stack,
        api,
        transports,
        otherProjectId,
        maker,
        probeFile,
        signal,
        say,
      };
      const rows: HostileRow[] = [];
      for (const input of inputs) {
        const row = await observeInput(input, context);
        say(`${row.name}: ${JSON.stringify(row)}`);
        rows.push(row);
      }
      return rows;
    });
  });
}
