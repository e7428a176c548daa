import { Option } from 'commander';
import { numberOption, runCommand, runOn, type CommonOptions } from './command';
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

/** Content to which nothing refers goes after this long: no upload lasts longer, pauses included. */
const garbageGraceSeconds = 120;
/** The same where nothing is paused. */
const shortGraceSeconds = 10;

const options = [
  numberOption('--minutes <m>', 'how long faults come', [0.2, 600]).default(10),
  new Option('--points', 'crashes once at each fault point instead').default(false),
  new Option('--storage', 'takes the disk, and the storage, from NATS instead').default(false),
];

runCommand<ChaosOptions>('chaos', options, async (given, say) => {
  if (given.storage) return runStorage(say, given.json);
  const grace = given.points ? shortGraceSeconds : garbageGraceSeconds;
  const env = { BOMTRAIL_GARBAGE_GRACE_SECONDS: String(grace) };
  return runOn(given, {
    open: () => openHarness({ env, say }),
    run: (harness, signal) => (given.points ? runPoints : runChaos)(harness, { ...given, signal }),
    render: renderReport,
    say,
  });
});
