import { mergeIndexPlans } from '@bomtrail/service-kit';
import { advisoryIndexes } from './advisory-documents';
import { componentSetIndexes } from './component-set-documents';
import { componentNameIndexes } from './component-name-store';
import { releasedSetIndexes } from './released-set-store';
import { packageChangeIndexes } from './package-change-store';
import { packageVersionIndexes } from './package-version-store';
import { waitingScanIndexes } from './waiting-scan-store';

/** Indexes of all collections of the scanner. */
export const scannerIndexes = mergeIndexPlans(
  advisoryIndexes,
  componentNameIndexes,
  componentSetIndexes,
  releasedSetIndexes,
  packageChangeIndexes,
  packageVersionIndexes,
  waitingScanIndexes,
);
