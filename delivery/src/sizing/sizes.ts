import type { Demand } from './model';

/** Every service is built once a night, all within one hour; 100 versions of each are stored. */
const nightly = {
  versions: 100,
  peakHours: 1,
  newSetShare: 0.05,
  releaseShare: 0.25,
  rescanHours: 1,
} as const;

/** The sizes that have value files, `deploy/helm/bomtrail/sizes/<name>.yaml`. */
export const sizes: Readonly<Record<'small' | 'medium' | 'large', Demand>> = {
  small: { ...nightly, services: 100, uploadsPerDay: 100, minReplicas: 1 },
  medium: { ...nightly, services: 10_000, uploadsPerDay: 10_000, minReplicas: 2 },
  large: { ...nightly, services: 100_000, uploadsPerDay: 100_000, minReplicas: 2 },
};
