import { loadContract } from './contract';
import type { Checked, Problem } from './types';

const { operations } = loadContract();

function problemsOf(checked: Checked<unknown> | undefined): Problem[] {
  return checked?.ok === false ? checked.problems : [];
}

function bodyProblems(operationId: string, body: unknown): Problem[] {
  return problemsOf(operations.get(operationId)?.validators.body(body));
}

function queryProblems(operationId: string, query: Record<string, string>): Problem[] {
  return problemsOf(operations.get(operationId)?.validators.query(query));
}

describe('problems follow pydantic', () => {
  test('a missing field, with the object that lacks it', () => {
    expect(bodyProblems('createProject', { platform: 'x' })).toEqual([
      { loc: ['body', 'name'], msg: 'Field required', type: 'missing', input: { platform: 'x' } },
    ]);
  });

  test('a missing parameter, with null', () => {
    expect(queryProblems('listServices', { other: 'x' })).toEqual([
      { loc: ['query', 'project_id'], msg: 'Field required', type: 'missing', input: null },
    ]);
  });

  test('an empty body', () => {
    expect(bodyProblems('createProject', undefined)).toEqual([
      { loc: ['body'], msg: 'Field required', type: 'missing', input: null },
    ]);
  });

  test('a text of the wrong length, as it was sent', () => {
    expect(bodyProblems('createProject', { name: ' ', platform: 'x'.repeat(51) })).toEqual([
      {
        loc: ['body', 'name'],
        msg: 'String should have at least 1 character',
        type: 'string_too_short',
        input: ' ',
        ctx: { min_length: 1 },
      },
      {
        loc: ['body', 'platform'],
        msg: 'String should have at most 50 characters',
        type: 'string_too_long',
        input: 'x'.repeat(51),
        ctx: { max_length: 50 },
      },
    ]);
  });

  test('a number out of bounds, as the text that was sent', () => {
    expect(queryProblems('listProjects', { page: '0', per_page: '500' })).toEqual([
      {
        loc: ['query', 'page'],
        msg: 'Input should be greater than or equal to 1',
        type: 'greater_than_equal',
        input: '0',
        ctx: { ge: 1 },
      },
      {
        loc: ['query', 'per_page'],
        msg: 'Input should be less than or equal to 200',
        type: 'less_than_equal',
        input: '500',
        ctx: { le: 200 },
      },
    ]);
  });

  test('a value outside an enum, with the expected values except null', () => {
    const expected = "'email', 'slack', 'discord', 'teams', 'webhook' or 'pagerduty'";
    expect(bodyProblems('updateAlertRule', { notification_type: 'fax' })).toEqual([
      {
        loc: ['body', 'notification_type'],
        msg: `Input should be ${expected}`,
        type: 'enum',
        input: 'fax',
        ctx: { expected },
      },
    ]);
    expect(queryProblems('listActiveVulnerabilities', { order: 'up' })[0]?.ctx).toEqual({
      expected: "'asc' or 'desc'",
    });
  });

  test('an array index as a number', () => {
    expect(bodyProblems('createApiKey', { scopes: ['read', 'root'] })[0]?.loc).toEqual([
      'body',
      'scopes',
      1,
    ]);
  });
});

describe('a response stays small', () => {
  test('a long text is not sent back', () => {
    const [problem] = bodyProblems('createAcceptance', {
      project_id: '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11',
      vulnerability_id: '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11',
      reason: 'x'.repeat(2001),
    });
    expect(problem).not.toHaveProperty('input');
    expect(problem?.type).toBe('string_too_long');
  });

  test('a large or deep object is not sent back', () => {
    const large = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key${i}`, i]));
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    for (const body of [large, { deep }]) {
      const [problem] = bodyProblems('createProject', body);
      expect(problem?.type).toBe('missing');
      expect(problem).not.toHaveProperty('input');
    }
  });

  test('at most a hundred problems are listed', () => {
    const problems = bodyProblems('createApiKey', { scopes: Array(10_000).fill('root') });
    expect(problems).toHaveLength(100);
  });
});
