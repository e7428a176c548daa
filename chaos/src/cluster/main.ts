import { garbageGrace, runCommand, runOn } from '../command';
import { openCluster } from './open-cluster';
import { renderClusterReport } from './report';
import { runCluster } from './run-cluster';

runCommand('cluster', [], (given, say) =>
  runOn(given, {
    open: () => openCluster({ env: garbageGrace, say }),
    run: (harness, signal) => runCluster(harness, { ...given, signal }),
    render: renderClusterReport,
    say,
  }),
);
