import type { Right } from './rights';

/**
 * The right that each operation of the contract requires; null: none, not even a caller. The only
 * such table: scopes of keys and roles of people are sets of these rights.
 */
export const operationRights: Readonly<Record<string, Right | null>> = {
  getHealth: null,
  getReadiness: null,
  getVersion: null,
  getOpenapi: null,

  getOwnApiKey: 'own',
  getMe: 'own',

  listOwnApiKeys: 'own-keys',
  createOwnApiKey: 'own-keys',
  deleteOwnApiKey: 'own-keys',

  listProjects: 'read',
  getProject: 'read',
  listProjectHistory: 'read',
  listServices: 'read',
  downloadSbom: 'read',
  listDependencyGraph: 'read',
  listDependencyPaths: 'read',
  diffSboms: 'read',
  listActiveVulnerabilities: 'read',
  listVulnerabilities: 'read',
  getVulnerability: 'read',
  getVulnerabilitySummary: 'read',
  groupVulnerabilities: 'read',
  listExploitedEvidence: 'read',
  listAcceptances: 'read',
  listDecisionRules: 'read',
  getDecisionRule: 'read',
  getBulkDecision: 'read',
  listRemediations: 'read',
  getStatistics: 'read',
  searchPackages: 'read',
  searchLicenses: 'read',
  searchVulnerability: 'read',
  listAdvisoryFeeds: 'read',
  listAlertRules: 'read',
  listAlertDeliveries: 'read',
  previewAlertRule: 'read',
  listVex: 'read',
  getVex: 'read',
  exportVex: 'read',

  listImports: 'read',
  getImport: 'read',
  listImportedServices: 'read',

  getSbom: 'read-sbom',
  getSbomVerdict: 'read-sbom',
  listSbomCoverage: 'read-sbom',

  uploadSbom: 'upload',
  checkSbom: 'upload',

  createAcceptance: 'decide',
  updateAcceptance: 'decide',
  deleteAcceptance: 'decide',
  decideInBulk: 'decide',
  deleteBulkDecision: 'decide',
  importVex: 'decide',
  deleteVex: 'decide',

  createDecisionRule: 'manage',
  updateDecisionRule: 'manage',
  deleteDecisionRule: 'manage',
  updateProject: 'manage',
  deleteProject: 'manage',
  updateService: 'manage',
  deleteService: 'manage',
  deleteSbom: 'manage',
  createAlertRule: 'manage',
  updateAlertRule: 'manage',
  deleteAlertRule: 'manage',
  testAlertRule: 'manage',

  createProject: 'create-project',
  createImport: 'create-project',
  updateImport: 'create-project',

  listApiKeys: 'keys',
  createApiKey: 'keys',
  deleteApiKey: 'keys',

  listAuditEntries: 'audit',

  listPeople: 'administer',
  endSessions: 'administer',

  listDeadLetters: 'administer',
  getDeadLetter: 'administer',
  replayDeadLetter: 'administer',
  deleteDeadLetter: 'administer',

  listGlobalAcceptances: 'administer',
  createGlobalAcceptance: 'administer',
  deleteGlobalAcceptance: 'administer',
};

/** @throws Error for an operation that is not in the table */
export function rightOf(operationId: string): Right | null {
  const right = operationRights[operationId];
  if (right === undefined) throw new Error(`No right is set for the operation ${operationId}.`);
  return right;
}
