/**
 * Feature folders of services: each has its use cases directly in it, its rules in `domain/` and its
 * stores in `store/`.
 */
module.exports = [
  'tracking',
  'decisions',
  'alert-periods',
  'queries',
  'deletion',
  'verification',
  'feeds',
  'matching',
  'rescans',
];
