import { join } from 'node:path';
import { makeDatasetFeed } from '../dataset/dataset-feed';
import { withStack } from '../stack/with-stack';
import { nightlyFleet, runNightly } from './nightly';
import { openContext } from './open-context';
import type { OwnScenario } from './own-scenario';
import { runScenario } from './run-scenario';

/** Not the one of the documents, and small: a changed folder is read again as a whole. */
const changing = { ecosystem: 'Julia', advisories: 100, everyMs: 1000 };

/** The nightly fleet while every second brings a new revision of the advisories, about other packages. */
export const nightlyUnderFeed: OwnScenario = {
  ...nightlyFleet,
  name: 'nightly-under-feed',
  description: 'nightly-fleet while the feed brings a change every second',
  async measure({ folder, advisories, base, signal, say }, repetition) {
    const feed = makeDatasetFeed(advisories.folder, changing.ecosystem);
    let changes = 0;
    const change = (): void => {
      const number = String(changes++ % changing.advisories).padStart(4, '0');
      feed.publish({ id: `JLSEC-2090-${number}`, module: `Elsewhere${changes}` });
    };
    for (let n = 0; n < changing.advisories; n += 1) change();
    const options = {
      dataDir: join(folder, 'data'),
      advisorySource: advisories.folder,
      signal,
      say,
      env: { BOMTRAIL_FEED_INTERVAL_SECONDS: '1' },
    };
    return withStack(options, async (stack, api) => {
      const context = await openContext(stack, { api, base, signal });
      let timer: NodeJS.Timeout | undefined;
      const stop = (): void => clearInterval(timer);
      // A stack with a feed that changes is never quiet.
      const untilIdle = async (): Promise<void> => {
        stop();
        await context.untilIdle();
        timer = setInterval(change, changing.everyMs);
      };
      const run: typeof runNightly = async (of, size) => runNightly(of, size).finally(stop);
      return runScenario({ ...nightlyFleet, run }, { ...context, untilIdle }, repetition);
    });
  },
};
