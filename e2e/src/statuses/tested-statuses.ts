import type { Contract, ContractOperation } from '@bomtrail/api-contract';
import type { Evidence } from './evidence';
import { titleOf, type StatusCase } from './status-case';

/** An endpoint and one of the statuses that the contract lists for it. */
export interface Cell {
  operation: ContractOperation;
  status: number;
  /** Names of the tests that show it; none: nothing does. */
  tests: string[];
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, object> }>>;
}

/** Every endpoint with every status of the contract, in its order. */
export function cells(
  contract: Contract,
  shown: { cases: readonly StatusCase[]; evidence: readonly Evidence[] },
): Cell[] {
  return [...contract.operations.values()].flatMap((operation) => {
    const statuses = Object.keys(responsesOf(contract, operation)).map(Number);
    return statuses.map((status) => ({
      operation,
      status,
      tests: testsOf({ operation, status }, shown),
    }));
  });
}

function testsOf(
  { operation, status }: Pick<Cell, 'operation' | 'status'>,
  { cases, evidence }: { cases: readonly StatusCase[]; evidence: readonly Evidence[] },
): string[] {
  const own = cases.filter(
    (each) => each.operationId === operation.operationId && each.status === status,
  );
  const others = evidence.filter(({ shows }) => shows(operation, status));
  return [
    ...own.map(titleOf),
    ...others.map(({ file, title }) => {
      const name = title.replace('%s', operation.operationId);
      return `${name} (${file.split('/').at(-1)})`;
    }),
  ];
}

function responsesOf(contract: Contract, { path, method }: ContractOperation) {
  const { paths } = contract.document as Document;
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The contract has no ${method} ${path}.`);
  return operation.responses;
}
