import { endWith, OperatorError } from '@bomtrail/embedded';
import { check, parts } from './check';
import { generate } from './chart/generate';
import { checkCluster } from './cluster/check-cluster';
import { images } from './images/images';
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
  '       npm run gen';

/** Runs a command; returns the exit code. */
async function main([command, ...args]: readonly string[]): Promise<number> {
  const say = (line: string): void => console.log(line);
  if (command === 'check' && args.every((arg) => Object.hasOwn(parts, arg)))
    return check(args, say);
  if (command === 'release') {
    const [first, one, second, other, ...more] = args;
    if (first === '--dry-run' && one === undefined) return rehearse(null, say);
    if (
      first === '--dry-run' &&
      one === '--programs' &&
      second !== undefined &&
      other === undefined
    )
      return rehearse(second, say);
    if (first === '--registry' && second === '--downloads' && one && other && more.length === 0)
      return release({ registry: one, downloads: other }, say);
  }
  if (command === 'images' && (args.length === 0 || args.join(' ') === '--twice'))
    return images({ isTwice: args.length > 0 }, say);
  if (command === 'cluster-api') {
    const [flag, folder, ...more] = args;
    if (flag === undefined) return checkCluster(null, say);
    if (flag === '--programs' && folder !== undefined && more.length === 0)
      return checkCluster(folder, say);
  }
  if (command === 'sizing') {
    for (const line of sizingLines(readDemand(args))) say(line);
    return 0;
  }
  if (command === 'generate' && args.length === 0) {
    generate();
    writeSettingsPage();
    return 0;
  }
  throw new OperatorError(usage);
}

endWith(main(process.argv.slice(2)));
