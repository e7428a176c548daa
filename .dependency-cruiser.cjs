/** The rules of the house (ARCHITECTURE.md "The dependency rule"), checked by `npm run lint`. */
const pure = '^packages/(csv|purl|versioning|osv|sbom-formats|vex)/';

// A layer is known by its path segment, in a service with layers (`src/store/`) or with feature folders
// (`src/tracking/store/`). Files directly in a feature folder are use cases.
const features = require('./scripts/feature-folders.cjs').join('|');
const domain = '^services/.+/domain/';
const store = '^services/.+/store/';
const useCases = `^services/[^/]+/src/(use-cases/|(${features})/(?!ports\\.|routes\\.|service-routes\\.)[^/]+$)`;
const transports = [
  '^services/[^/]+/src/(rpc|events|http|grpc|sweeps)/',
  `^services/[^/]+/src/(${features})/(routes|service-routes)\\.ts$`,
];

module.exports = {
  forbidden: [
    {
      name: 'no-service-imports-another',
      comment: 'Services talk over the bus; what they share is a package.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'no-package-imports-a-service',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^services/' },
    },
    {
      name: 'domain-is-pure',
      comment:
        'Rules import rules, types and pure packages: no I/O, no clock, no bus, no database.',
      severity: 'error',
      from: { path: domain, pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: [domain, pure, '^packages/messages/', '^crypto$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'domain-takes-only-types-of-messages',
      severity: 'error',
      from: { path: domain, pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/messages/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-knows-no-other-layer',
      comment: 'Types included: stores and use cases take their types from the domain.',
      severity: 'error',
      from: { path: domain, pathNot: '\\.test\\.ts$' },
      to: { path: [store, useCases, ...transports] },
    },
    {
      name: 'use-cases-know-no-transports',
      severity: 'error',
      from: { path: [useCases, store] },
      to: { path: transports },
    },
    {
      name: 'stores-know-no-use-cases',
      severity: 'error',
      from: { path: store },
      to: { path: useCases },
    },
    {
      name: 'packages-have-one-entry',
      comment: 'A package is imported by its name, never by a path into it.',
      severity: 'error',
      from: { path: '^(services|packages|e2e|bench|chaos|delivery)/([^/]+)/' },
      to: { path: '^packages/[^/]+/src/', pathNot: ['^packages/[^/]+/src/index\\.ts$', '^$1/$2/'] },
    },
    {
      name: 'pure-packages-take-only-types-of-messages',
      severity: 'error',
      from: { path: pure, pathNot: ['\\.test\\.ts$', '/check/', '/testing/'] },
      to: { path: '^packages/messages/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-packages-stay-pure',
      severity: 'error',
      from: { path: pure, pathNot: ['\\.test\\.ts$', '/check/', '/testing/'] },
      to: {
        path: '^packages/(messaging|mongo|deletion|service-runtime|embedded|testkit|api-contract)/',
      },
    },
    {
      name: 'no-package-imports-a-higher-layer',
      comment:
        'From low to high: settings, telemetry, concurrency, mongo and messaging, deletion, service-runtime.',
      severity: 'error',
      from: {
        path: '^packages/(settings|telemetry|concurrency|mongo|messaging)/',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: '^packages/(deletion|service-runtime)/' },
    },
    {
      name: 'foundations-know-no-server',
      severity: 'error',
      from: { path: '^packages/(settings|telemetry|concurrency)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/(mongo|messaging)/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.check.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
  },
};
