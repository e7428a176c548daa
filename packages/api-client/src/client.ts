import { apiKeyCalls } from './api-keys';
import { importCalls } from './imports';
import { projectCalls } from './projects';
import { sbomCalls } from './sboms';
import { searchCalls } from './search';
import { vulnerabilityCalls } from './vulnerabilities';
import { vexCalls } from './vex';
import type { Target } from './http';

export type ApiClient = ReturnType<typeof createApiClient>;

/** Client of the public API. Every call throws `ApiError` unless the status is a success. */
export function createApiClient(target: Target) {
  return {
    ...projectCalls(target),
    ...sbomCalls(target),
    ...searchCalls(target),
    ...vulnerabilityCalls(target),
    ...apiKeyCalls(target),
    ...vexCalls(target),
    ...importCalls(target),
  };
}
