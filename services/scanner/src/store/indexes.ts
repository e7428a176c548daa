import { mergeIndexPlans } from '@bomtrail/mongo';
import { advisoryIndexes } from '../feeds/store/advisory-documents';
import { componentSetIndexes } from '../matching/store/component-set-documents';
import { componentNameIndexes } from '../matching/store/component-name-store';
import { releasedSetIndexes } from '../deletion/store/released-set-store';
import { packageChangeIndexes } from '../feeds/store/package-change-store';
import { packageVersionIndexes } from '../matching/store/package-version-store';
import { riskScoreIndexes } from '../risk/store/risk-score-store';
import { vexSourceIndexes } from '../vex-sources/store/vex-source-store';
import { waitingScanIndexes } from '../feeds/store/waiting-scan-store';

/** Indexes of all collections of the scanner. */
export const scannerIndexes = mergeIndexPlans(
  advisoryIndexes,
  componentNameIndexes,
  componentSetIndexes,
  releasedSetIndexes,
  packageChangeIndexes,
  packageVersionIndexes,
  riskScoreIndexes,
  vexSourceIndexes,
  waitingScanIndexes,
);
