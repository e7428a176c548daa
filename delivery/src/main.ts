import { endWith, OperatorError } from '@bomtrail/embedded';
import { check, parts } from './check';
import { generate } from './chart/generate';
import { checkCluster } from './cluster/check-cluster';
import { images } from './images/images';
import { readBenchReport } from './sizing/bench-reports';
import { comparisonLines } from './sizing/comparison-lines';
import { readDemand, sizingLines } from './sizing/table';
import { writeSettingsPage } from './settings/write-page';
import { rehearse } from './release/rehearse';
import { release } from './release/release';

const usage =
  `Usage: npm run test:deploy [-- ${Object.keys(parts).join('|')} …]\n` +
  '       npm run release -- --dry-run [--programs FOLDER]\n' +
  '       npm run release -- --registry HOST/PATH --downloads URL\n' +
  '       npm run images [-- --twice]\n' +
  '       npm run test:cluster-api [-- --programs FOLDER]\n' +
  '       npm run sizing [-- small|medium|large] [--services N] [--versions N] [--uploads-per-day N] …\n' +
  '       npm run sizing -- --reports FILE …\n' +
  '       npm run gen';

/** Runs a command; returns the exit code. */
async function main([command, ...args]: readonly string[]): Promise<number> {
  const say = (line: string): void => console.log(line);
  if (command === 'check' && args.every((arg) => Object.hasOwn(parts, arg)))
    return check(args, say);
  if (command === 'release') {
    if (args[0] === '--dry-run') return rehearse(programsFolder(args.slice(1)), say);
    const [toRegistry, registry, toDownloads, downloads, ...more] = args;
    const isNamed = toRegistry === '--registry' && toDownloads === '--downloads';
    if (isNamed && registry && downloads && more.length === 0)
      return release({ registry, downloads }, say);
  }
  if (command === 'images' && (args.length === 0 || args.join(' ') === '--twice'))
    return images({ isTwice: args.length > 0 }, say);
  if (command === 'cluster-api') return checkCluster(programsFolder(args), say);
  if (command === 'sizing') {
    const [flag, ...files] = args;
    const lines =
      flag === '--reports' && files.length > 0
        ? comparisonLines(files.map(readBenchReport))
        : sizingLines(readDemand(args));
    for (const line of lines) say(line);
    return 0;
  }
  if (command === 'generate' && args.length === 0) {
    generate();
    writeSettingsPage();
    return 0;
  }
  throw new OperatorError(usage);
}

/** What `--programs` names; null: nothing. @throws OperatorError if there are other arguments */
function programsFolder(args: readonly string[]): string | null {
  const [flag, folder, ...more] = args;
  if (flag === undefined) return null;
  if (flag === '--programs' && folder !== undefined && more.length === 0) return folder;
  throw new OperatorError(usage);
}

endWith(main(process.argv.slice(2)));
