import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadContract } from '@bomtrail/api-contract';
import { repositoryRoot } from '../support/real-data';
import { statusCases } from './cases';
import { evidence } from './evidence';
import { titleOf } from './status-case';
import { cells } from './tested-statuses';

const contract = loadContract();
const cases = statusCases(contract);
const all = cells(contract, { cases, evidence });

test('every status of every endpoint is shown by a test', () => {
  const empty = all.filter(({ tests }) => tests.length === 0);
  expect(empty.map(({ operation, status }) => `${operation.operationId} ${status}`)).toEqual([]);
});

test('no case shows a status that the contract does not list', () => {
  const listed = all.map(({ operation, status }) => `${operation.operationId} ${status}`);
  const wrong = cases.filter(
    ({ operationId, status }) => !listed.includes(`${operationId} ${status}`),
  );
  expect(wrong.map(titleOf)).toEqual([]);
});

test('every case has a title of its own', () => {
  const titles = cases.map(titleOf);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test.each(evidence.map(({ file, title }) => [file, title]))(
  '%s holds the test “%s”',
  (file, title) => {
    const at = path.join(repositoryRoot, file);
    expect(existsSync(at)).toBe(true);
    expect(readFileSync(at, 'utf8')).toContain(title);
  },
);
