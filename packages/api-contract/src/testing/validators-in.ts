import type { Checked, Contract, OperationValidators } from '../types';

/** The validators of an operation. @throws Error if the contract has no such operation */
export function validatorsIn(contract: Contract): (operationId: string) => OperationValidators {
  return (operationId) => {
    const operation = contract.operations.get(operationId);
    if (!operation) throw new Error(`no operation ${operationId}`);
    return operation.validators;
  };
}

/** `body.name string_too_long`, one line for each problem. */
export function faults(checked: Checked<unknown>): string[] {
  return checked.ok ? [] : checked.problems.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}
