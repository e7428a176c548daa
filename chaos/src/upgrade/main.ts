import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { Option } from 'commander';
import { garbageGrace, runCommand, runOn, type CommonOptions } from '../command';
import { openUpgrade } from './open-upgrade';
import { renderUpgradeReport } from './report';
import { requireBundles } from './replicas';
import { runUpgrade } from './run-upgrade';

interface UpgradeCommandOptions extends CommonOptions {
  from: string;
  to: string;
  back: boolean;
}

const ownBundles = path.join(repositoryRoot(), 'dist', 'images');

const options = [
  new Option(
    '--from <folder>',
    'bundles of the release that runs first: dist/images of its checkout after "npm run bundle"',
  ).makeOptionMandatory(),
  new Option('--to <folder>', 'bundles of the next release').default(ownBundles),
  new Option('--back', 'then goes back to the first release').default(false),
];

runCommand<UpgradeCommandOptions>('upgrade', options, async (given, say) => {
  const [from, to] = [requireBundles(given.from), requireBundles(given.to)];
  return runOn(given, {
    open: () => openUpgrade({ from, env: garbageGrace, say }),
    run: (harness, signal) => runUpgrade(harness, { ...given, from, to, signal }),
    render: renderUpgradeReport,
    say,
  });
});
