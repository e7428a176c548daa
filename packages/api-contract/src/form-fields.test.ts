import { loadContract } from './contract';
import { faults, validatorsIn } from './testing/validators-in';

const contract = loadContract();
const id = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';
const bell = 'ü'.repeat(255);
const emoji = '🛒'.repeat(255);

const validatorsOf = validatorsIn(contract);

type Text = Record<string, string | string[] | undefined>;

test('of a check no project or one is named', () => {
  const { form, query } = validatorsOf('checkSbom');
  expect(form({ version: 'pr-17' })).toStrictEqual({ ok: true, value: { version: 'pr-17' } });
  expect(form({ project_slug: 'web-shop', project_id: '' })).toMatchObject({ ok: true });
  const both = form({ project_id: id, project_slug: 'web-shop' });
  expect(faults(both)).toEqual(['body.project_id value_error']);
  expect(faults(query({ fail_on: 'x', wait: '5' }))).toEqual([
    'query.fail_on enum',
    'query.wait extra_forbidden',
  ]);
});

test('the gate of a check among its form fields is refused, other fields are ignored', () => {
  const { form } = validatorsOf('checkSbom');
  expect(faults(form({ fail_on: 'low', max_epss: ['0.1', '0.2'], version: ['1', '2'] }))).toEqual([
    'body.version value_error',
    'body.fail_on value_error',
    'body.max_epss value_error',
  ]);
  expect(form({ failon: 'low', constructor: 'x' })).toStrictEqual({ ok: true, value: {} });
});

describe('the fields of an upload', () => {
  test.each<[raw: Text, value: unknown]>([
    [{ project_id: id.toUpperCase() }, { project_id: id }],
    [{ project_slug: 'web-shop', project_id: '' }, { project_slug: 'web-shop' }],
    [{ project_slug: '', project_id: id, version: '' }, { project_id: id }],
    [{ project_id: id, service_name: ' \t ' }, { project_id: id }],
    [
      { project_id: id, service_name: ' Web Shop ', version: ' 1 ' },
      { project_id: id, service_name: ' Web Shop ', version: ' 1 ' },
    ],
    [
      { project_id: id, service_name: emoji, version: bell },
      { project_id: id, service_name: emoji, version: bell },
    ],
    [{ project_id: id, file: 'x', other: 'y' }, { project_id: id }],
  ])('%j are accepted', (raw, value) => {
    expect(validatorsOf('uploadSbom').form(raw)).toStrictEqual({ ok: true, value });
  });

  test.each<[raw: Text, faults: string[]]>([
    [{}, ['body.project_id missing']],
    [{ project_id: '', project_slug: '' }, ['body.project_id missing']],
    [{ project_id: id, project_slug: 'web-shop' }, ['body.project_id value_error']],
    [{ project_id: 'x' }, ['body.project_id uuid_parsing']],
    [{ project_id: ' ' }, ['body.project_id uuid_parsing']],
    [{ project_id: id, service_name: 'k\ufffdse' }, ['body.service_name string_unicode']],
    [{ project_id: id, version: `${bell}x` }, ['body.version string_too_long']],
    [{ project_id: id, service_name: `${emoji}x` }, ['body.service_name string_too_long']],
    [{ version: `${bell}x` }, ['body.version string_too_long', 'body.project_id missing']],
    [{ project_id: [id, id] }, ['body.project_id value_error']],
    [
      { project_id: [id, ''], version: ['1', '2'] },
      ['body.project_id value_error', 'body.version value_error'],
    ],
  ])('%j are refused', (raw, expected) => {
    expect(faults(validatorsOf('uploadSbom').form(raw)).sort()).toEqual([...expected].sort());
  });
});
