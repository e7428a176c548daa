import type { ContractOperation } from '@bomtrail/api-contract';

/** A test outside of the cases that shows statuses of operations. */
export interface Evidence {
  /** From the root of the repository. */
  file: string;
  /** A part of the test's name that stands in the file as it is; `%s` stands for the operationId. */
  title: string;
  /** Does it show this one? */
  shows(operation: ContractOperation, status: number): boolean;
}

const gatewayTests = 'services/gateway/src';
const failing = `${gatewayTests}/http/failing-operations.int.test.ts`;
/** They ask no other service: what fails behind the gateway does not reach them. */
const ofTheDatabase = ['listApiKeys', 'getOwnApiKey', 'getMe', 'deleteApiKey', 'listAuditEntries'];
const askNobody = [...ofTheDatabase, 'getHealth', 'getReadiness', 'getVersion', 'getOpenapi'];

/** Statuses that no request alone can bring about: they need a certain state of the product. */
export const evidence: readonly Evidence[] = [
  {
    file: `${gatewayTests}/access/access.int.test.ts`,
    title: 'a person has no key to read, and reads who they are',
    shows: ({ operationId }, status) => status === 404 && operationId === 'getOwnApiKey',
  },
  {
    file: failing,
    title: '%s answers 500: what it asks another service fails there',
    shows: ({ operationId }, status) => status === 500 && !askNobody.includes(operationId),
  },
  {
    file: `${gatewayTests}/http/failures.int.test.ts`,
    title: 'a failure says nothing to the client and everything in one log line',
    shows: ({ operationId }, status) => status === 500 && askNobody.includes(operationId),
  },
  {
    file: failing,
    title: '%s answers 503: nobody answers what it asks another service',
    shows: ({ operationId }, status) => status === 503 && !askNobody.includes(operationId),
  },
  {
    file: `${gatewayTests}/api-keys/check-api-key.test.ts`,
    title: 'nobody is let in when the keys cannot be asked',
    shows: ({ operationId }, status) => status === 503 && ofTheDatabase.includes(operationId),
  },
  {
    file: `${gatewayTests}/http/failures.int.test.ts`,
    title: 'without the services behind it the product is not ready, and a call is 503',
    shows: ({ operationId }, status) => status === 503 && operationId === 'getReadiness',
  },
  {
    file: failing,
    title: '%s answers 429: its key has made its calls of this minute',
    shows: (_operation, status) => status === 429,
  },
  {
    file: `${gatewayTests}/alert-rules/alert-rules.int.test.ts`,
    title: 'a rule is neither made in nor moved to a project that has as many as it may have',
    shows: ({ operationId }, status) =>
      status === 409 && ['createAlertRule', 'updateAlertRule'].includes(operationId),
  },
  {
    file: `${gatewayTests}/http/edge.int.test.ts`,
    title: 'A client that sends a byte a second',
    shows: (_operation, status) => status === 408,
  },
];
