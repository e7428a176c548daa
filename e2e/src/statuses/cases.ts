import type { Contract } from '@bomtrail/api-contract';
import { administrationCases } from './cases-of-administration';
import { alertRuleCases } from './cases-of-alert-rules';
import { casesOfEveryOperation } from './cases-of-every-operation';
import { importCases } from './cases-of-imports';
import { peopleCases } from './cases-of-people';
import { projectCases } from './cases-of-projects';
import { sbomCases } from './cases-of-sboms';
import { searchCases } from './cases-of-search';
import { vulnerabilityCases } from './cases-of-vulnerabilities';
import { vexCases } from './cases-of-vex';
import type { StatusCase } from './status-case';

/** Every case, in the order of the contract's operations and their statuses. */
export function statusCases(contract: Contract): StatusCase[] {
  const operations = [...contract.operations.keys()];
  const place = ({ operationId, status }: StatusCase) =>
    operations.indexOf(operationId) * 1_000 + status;
  return [
    ...casesOfEveryOperation(contract.operations.values()),
    ...projectCases,
    ...sbomCases,
    ...vulnerabilityCases,
    ...vexCases,
    ...searchCases,
    ...alertRuleCases,
    ...administrationCases,
    ...importCases,
    ...peopleCases,
  ].sort((one, other) => place(one) - place(other));
}
