import { Option } from 'commander';
import { garbageGrace, numberOption, runCommand, runOn, type CommonOptions } from './command';
import { openHarness } from './harness';
import { runPoints } from './points/run-points';
import { renderReport } from './report';
import { runChaos } from './run-chaos';
import { runStorage } from './storage/run-storage';

interface ChaosOptions extends CommonOptions {
  minutes: number;
  points: boolean;
  storage: boolean;
}

/** Where nothing is paused. */
const shortGrace: typeof garbageGrace = { BOMTRAIL_GARBAGE_GRACE_SECONDS: '10' };

const options = [
  numberOption('--minutes <m>', 'how long faults come', [0.2, 600]).default(10),
  new Option('--points', 'crashes once at each fault point instead').default(false),
  new Option('--storage', 'takes the disk, and the storage, from NATS instead').default(false),
];

runCommand<ChaosOptions>('chaos', options, async (given, say) => {
  if (given.storage) return runStorage(say, given.json);
  const env = given.points ? shortGrace : garbageGrace;
  return runOn(given, {
    open: () => openHarness({ env, say }),
    run: (harness, signal) => (given.points ? runPoints : runChaos)(harness, { ...given, signal }),
    render: renderReport,
    say,
  });
});
