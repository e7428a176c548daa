import { loadContract } from './contract';

const contract = loadContract();

function queryOf(operationId: string, raw: Record<string, string>) {
  const checked = contract.operations.get(operationId)?.validators.query(raw);
  if (!checked) throw new Error(`no operation ${operationId}`);
  if (checked.ok) return checked.value;
  return checked.problems.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

describe.each(['getSbomVerdict', 'checkSbom'])('the gate of %s', (operationId) => {
  test('has no rule about quality unless it is asked for', () => {
    expect(queryOf(operationId, {})).not.toHaveProperty('min_quality');
  });

  test.each([
    ['1', 1],
    ['100', 100],
  ])('wants a quality of %s', (min_quality, value) => {
    expect(queryOf(operationId, { min_quality })).toMatchObject({ min_quality: value });
  });

  test.each([
    ['0', 'greater_than_equal'],
    ['101', 'less_than_equal'],
    ['7.5', 'int_parsing'],
    ['high', 'int_parsing'],
  ])('wants no quality of %s', (min_quality, type) => {
    expect(queryOf(operationId, { min_quality })).toEqual([`query.min_quality ${type}`]);
  });
});
