import { loadContract, type components } from '@bomtrail/api-contract';
import { errorTable } from '@bomtrail/messages';

interface RpcResponse {
  content?: { 'application/json'?: { examples?: Record<string, { value: { code?: string } }> } };
}

const contract = loadContract().document as {
  components: {
    schemas: { ErrorCode: { enum: components['schemas']['ErrorCode'][] } };
    responses: Record<string, RpcResponse>;
  };
  'x-other-responses': Record<string, { $ref: string }>;
  paths: Record<string, Record<string, { responses?: Record<string, { $ref?: string }> }>>;
};

test('the contract lists exactly the codes of the error table', () => {
  expect([...contract.components.schemas.ErrorCode.enum].sort()).toEqual(
    Object.keys(errorTable).sort(),
  );
});

test('the contract shows every code under the status that the table gives it', () => {
  const responses = [
    contract['x-other-responses'],
    ...Object.values(contract.paths).flatMap((methods) =>
      Object.values(methods).map(({ responses = {} }) => responses),
    ),
  ].flatMap((responses) => Object.entries(responses));
  let seen = 0;
  for (const [status, { $ref = '' }] of responses) {
    const named = contract.components.responses[$ref.split('/').at(-1) ?? ''];
    const examples = named?.content?.['application/json']?.examples ?? {};
    for (const { code } of Object.values(examples).map(({ value }) => value)) {
      if (code === undefined) continue;
      expect([code, status]).toEqual([code, String(errorTable[code as 'not_found'].http)]);
      seen += 1;
    }
  }
  expect(seen).toBeGreaterThan(Object.keys(errorTable).length);
});
