export type { paths, components, operations } from './generated/openapi';
export { openapiDocument } from './document';
export { loadContract } from './contract';
export { checkResponse } from './response-check';
export type { Checked, Contract, ContractOperation, OperationValidators, Problem } from './types';
