import { runCommand, runOn } from '../command';
import { openCluster } from './open-cluster';
import { renderClusterReport } from './report';
import { runCluster } from './run-cluster';

/** As in chaos: no upload lasts longer. */
const env = { BOMTRAIL_GARBAGE_GRACE_SECONDS: '120' };

runCommand('cluster', [], (given, say) =>
  runOn(given, {
    open: () => openCluster({ env, say }),
    run: (harness, signal) => runCluster(harness, { ...given, signal }),
    render: renderClusterReport,
    say,
  }),
);
