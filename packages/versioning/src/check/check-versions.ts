import { type FileResult, checkFolder } from './check-folder';
import { countLines } from './count-lines';

const DEFAULT_FOLDER = '../shared/data/versions';
const MAX_PRINTED_WRONG = 5;

/**
 * Prints what each file of version facts says about our comparers, one line a file and ecosystem.
 * Exit code 1 when an answer is wrong or nothing could be checked. First argument: the folder,
 * relative to where the command runs; `--list` also prints every unreadable and disputed fact.
 */
function main(args: readonly string[]): number {
  const folder = args.find((argument) => !argument.startsWith('--')) ?? DEFAULT_FOLDER;
  const results = checkFolder(folder);
  console.log(row(['file', 'ecosystem', 'lines', 'right', 'unreadable', 'disputed', 'wrong']));
  for (const result of results) print(result, args.includes('--list'));
  const wrong = results.reduce((sum, result) => sum + result.wrong.length, 0);
  const checked = results.filter((result) => result.ecosystem !== null);
  const facts = checked.reduce((sum, result) => sum + result.facts, 0);
  const unreadable = checked.reduce((sum, result) => sum + result.unreadable.length, 0);
  const disputed = checked.reduce((sum, result) => sum + result.disputed.length, 0);
  console.log(
    `${facts} evaluations, both ways: ${unreadable} unreadable, ${disputed} disputed, ${wrong} wrong`,
  );
  const lines = countLines(checked);
  console.log(
    `${lines.facts} lines: ${lines.unreadable} unreadable (reasons: testdata/unreadable.md), ` +
      `${lines.disputed} disputed (answered otherwise, see testdata/disputed), ${lines.wrong} wrong`,
  );
  return wrong > 0 || facts === 0 ? 1 : 0;
}

function print(result: FileResult, list: boolean): void {
  const { file, ecosystem, facts, right, unreadable, disputed, wrong } = result;
  const counts = [facts, right, unreadable.length, disputed.length, wrong.length].map(String);
  console.log(row([file, ecosystem ?? 'not checked', ...counts]));
  for (const { fact, verdict } of wrong.slice(0, MAX_PRINTED_WRONG)) {
    console.log(`  wrong, line ${fact.line}: ${fact.text} (${JSON.stringify(verdict)})`);
  }
  if (!list) return;
  for (const fact of disputed) console.log(`  disputed, line ${fact.line}: ${fact.text}`);
  for (const { fact } of unreadable) console.log(`  unreadable, line ${fact.line}: ${fact.text}`);
}

function row(cells: readonly string[]): string {
  const [file = '', ecosystem = '', ...counts] = cells;
  const numbers = counts.map((count) => count.padStart(11)).join('');
  return file.padEnd(36) + ecosystem.padEnd(16) + numbers;
}

if (require.main === module) {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
