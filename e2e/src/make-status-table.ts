import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadContract } from '@bomtrail/api-contract';
import { statusCases } from './statuses/cases';
import { evidence } from './statuses/evidence';
import { cells, statusTable } from './statuses/table';
import { repositoryRoot } from './support/real-data';

const contract = loadContract();
const all = cells(contract, { cases: statusCases(contract), evidence });
const folder = path.join(repositoryRoot, 'docs', 'generated');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'endpoint-statuses.md'), statusTable(all));
console.log(
  `endpoint-statuses.md: ${all.length} statuses of ${contract.operations.size} endpoints`,
);
