import type { Contract, ContractOperation } from '@bomtrail/api-contract';
import type { Evidence } from './evidence';
import { titleOf, type StatusCase } from './status-case';

/** An endpoint and one of the statuses that the contract lists for it. */
export interface Cell {
  operation: ContractOperation;
  status: number;
  /** Does the interface specification list it? 500 is listed for all (its section "Errors"). */
  specified: boolean;
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
    const { responses, isAdditive } = declared(contract, operation);
    return Object.entries(responses).map(([code, response]) => {
      const status = Number(code);
      return {
        operation,
        status,
        specified: !isAdditive && !isMarked(contract.document, response),
        tests: testsOf({ operation, status }, shown),
      };
    });
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

function declared(contract: Contract, { path, method }: ContractOperation) {
  const { paths } = contract.document as Document;
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The contract has no ${method} ${path}.`);
  return { responses: operation.responses, isAdditive: 'x-additive' in operation };
}

/** Is an answer, or the one that it refers to, marked as additive? */
function isMarked(document: object, response: object): boolean {
  if ('x-additive' in response) return true;
  const { $ref = '' } = response as { $ref?: string };
  const name = $ref.split('/').at(-1) ?? '';
  const { responses } = (document as { components: { responses: Record<string, object> } })
    .components;
  return 'x-additive' in (responses[name] ?? {});
}

/** The table as a document. */
export function statusTable(all: readonly Cell[]): string {
  const specified = all.filter((cell) => cell.specified);
  return `# Which test shows which status

Made by \`npm run gen -w @bomtrail/e2e\` from the contract and the cases in \`e2e/src/statuses\`; a test
holds that it is up to date and that no cell is empty. Every endpoint stands here with every status
that \`openapi.yaml\` lists for it: ${all.length} in all. ${specified.length} of them the interface
specification lists (“specified”, with 500 for every endpoint), the others are additive.

Where no file is named, the test is in \`e2e/src/contract-statuses.e2e.test.ts\`: it sends the request to
the whole running product, and the answer's status, body and headers are held to the contract. One test
stands for several endpoints where one piece of code answers for all: 408 (bodies that come too slowly),
503 of those that need the database only (the check of the key), and 500 of those that ask no other
service (one handler answers whatever fails).

| endpoint | operation | status | listed as | shown by |
| -------- | --------- | ------ | --------- | -------- |
${all.map(row).join('\n')}
`;
}

function row({ operation, status, specified, tests }: Cell): string {
  const { method, path, operationId } = operation;
  const shown = tests.map((name) => name.replaceAll('|', '\\|')).join('<br>');
  const listed = specified ? 'specified' : 'additive';
  return `| \`${method} ${path}\` | \`${operationId}\` | ${status} | ${listed} | ${shown} |`;
}
