export { metricWithinMs, watchValue, type Reading } from './metrics/watch-value';
export { openTransports } from './process/open-transports';
export { runService } from './process/run-service';
export { type Composition, type Kit, type ServiceDefinition } from './process/service';
export { startService, type RunningService } from './process/start-service';
export { eachAlone, type Sweep } from './process/sweep';
export { commonSettings, type CommonSettings } from './settings/common-settings';
export { connectionErrors } from './settings/connection-errors';
export { createUploadPauses, type UploadPauses } from './upload-pauses';
