/**
 * The images, each with the programs that it holds: the name of the bundle (`main` is what the image
 * starts) and the built file from which it is made. `health` is asked by the image's health check.
 */
const health = 'packages/service-runtime/dist/process/health-main.js';

/** @param {string} name of a service */
function service(name) {
  return { main: `services/${name}/dist/main.js`, health };
}

export const IMAGES = {
  gateway: service('gateway'),
  ingest: service('ingest'),
  catalog: service('catalog'),
  scanner: service('scanner'),
  reconciler: service('reconciler'),
  notifier: service('notifier'),
  cli: { bomtrail: 'packages/cli/dist/tsc/main.js' },
  tools: {
    keys: 'services/gateway/dist/command/keys-main.js',
    reconcile: 'services/reconciler/dist/command/reconcile-main.js',
    'dead-letters': 'packages/messaging/dist/dead-letters/dead-letters-main.js',
    backup: 'packages/backup/dist/backup-main.js',
    restore: 'packages/backup/dist/restore-main.js',
  },
};

/**
 * Files that programs run in worker threads. Each becomes a bundle of its own, at the place below
 * `node_modules` where the code that starts it looks.
 */
export const WORKERS = {
  ingest: [
    'parse-document',
    'parse-documents',
    'diff-component-sets',
    'find-paths',
    'read-vex',
    'match-vex',
    'describe-sbom',
  ].map((name) => ({
    from: `services/ingest/dist/worker/${name}.js`,
    to: `node_modules/@bomtrail/ingest/dist/worker/${name}`,
  })),
};
