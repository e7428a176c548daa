export type { paths, components, operations } from './generated/openapi';
export { openapiDocument } from './document';
export { loadContract } from './contract';
export { checkResponse } from './response-check';
export { heldFetch, type HeldFetch } from './held-fetch';
export { operationFinder, type FindOperation } from './find-operation';
export type { Checked, Contract, ContractOperation, OperationValidators, Problem } from './types';
