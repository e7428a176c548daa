/**
 * Feature folders of services: each has its use cases directly in it, its rules in `domain/`, its
 * stores in `store/` and, in the gateway, its endpoints in `routes.ts`.
 */
module.exports = [
  'tracking',
  'decisions',
  'alert-periods',
  'queries',
  'deletion',
  'statistics',
  'vex',
  'verification',
  'feeds',
  'matching',
  'rescans',
  'risk',
  'remediations',
  'api-keys',
  'audit',
  'uploads',
  'sboms',
  'gate',
  'vulnerabilities',
  'search',
  'projects',
  'alert-rules',
  'readiness',
  'dead-letters',
  'web',
];
