import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSettings, type Flags } from './read-settings';

let folder: string;
const key = 'bt_AAAAAAAAAAAA_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB';
const env = { BOMTRAIL_URL: 'https://env.example/', BOMTRAIL_API_KEY: key };

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-cli-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const projectFile = (text: string, name = '.bomtrail.yaml'): void =>
  writeFileSync(path.join(folder, name), text);
const read = (
  flags: Flags = {},
  more: Record<string, string> = env,
): ReturnType<typeof readSettings> => readSettings(flags, more, folder);

test('a flag counts before the environment, that before the project file', () => {
  projectFile('url: https://file.example\nproject: of-file\nservice: of-file\nfail_on: low\n');
  const settings = read({ project: 'of-flag' }, { ...env, BOMTRAIL_SERVICE: 'of-env' });
  expect(settings).toMatchObject({
    url: 'https://env.example',
    urlFromFile: false,
    project: 'of-flag',
    service: 'of-env',
    failOn: 'low',
  });
  expect(read({}, { BOMTRAIL_API_KEY: key })).toMatchObject({
    url: 'https://file.example',
    urlFromFile: true,
  });
});

test('the project file is looked for upwards, no further than the repository', () => {
  projectFile('project: above\n');
  const inner = path.join(folder, 'one', 'two');
  mkdirSync(inner, { recursive: true });
  expect(readSettings({}, env, inner).project).toBe('above');
  mkdirSync(path.join(folder, 'one', '.git'));
  expect(readSettings({}, env, inner).project).toBeUndefined();
});

test.each([
  ['an entry for a key', 'api_key: x\n', /BOMTRAIL_API_KEY/],
  ['a key anywhere, also in a comment', `project: shop # ${key}\n`, /contains an API key/],
  ['an entry that nobody knows', 'fail-on: high\n', /unknown entry "fail-on"/],
  ['what is not valid YAML', 'a: [\n', /not valid YAML/],
  ['a list', '- a\n', /names and values/],
])('a project file with %s is refused', (_, text, message) => {
  projectFile(text);
  expect(() => read()).toThrow(message);
});

test('a key is read from a file that the environment or a flag names, and from no flag', () => {
  projectFile(`${key}\n`, 'key');
  const file = path.join(folder, 'key');
  const rest = { BOMTRAIL_URL: 'https://env.example' };
  expect(read({}, { ...rest, BOMTRAIL_API_KEY_FILE: file }).apiKey).toBe(key);
  expect(read({ apiKeyFile: file }, rest).apiKey).toBe(key);
  expect(() => read({}, rest)).toThrow(/No API key/);
  expect(() => read({}, { ...rest, BOMTRAIL_API_KEY_FILE: `${file}-not-there` })).toThrow(
    /BOMTRAIL_API_KEY_FILE/,
  );
});

test.each([
  ['url', { url: 'ftp://x.example' }],
  ['url', { url: 'https://user:secret@x.example' }],
  ['url', { url: 'user:secret@x.example' }],
  ['url', { url: 'https://user:a@secret@x.example' }],
  ['url', { url: 'https://x.example/api/v1' }],
  ['url', { url: 'https://x.example/bomtrail/#/projects' }],
  ['url', { url: 'https://x.example?key=x' }],
  ['--baseline', { baseline: '' }],
  ['grpc-url', { grpcUrl: 'localhost:1' }],
  ['transport', { transport: 'soap' }],
  ['fail-on', { failOn: 'urgent' }],
  ['wait', { wait: 'soon' }],
])('a wrong %s is named, without a password', (name, flags) => {
  expect(() => read(flags)).toThrow(name);
  expect(() => read(flags)).not.toThrow('secret');
  expect(() => read(flags)).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test('a key in the place of another setting is not repeated', () => {
  for (const flags of [{ apiKeyFile: key }, { url: key }, { grpcUrl: key }]) {
    expect(() => read(flags)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => read(flags)).not.toThrow(key);
  }
  expect(() => read({}, { ...env, BOMTRAIL_API_KEY: '', BOMTRAIL_API_KEY_FILE: key })).toThrow(
    'BOMTRAIL_API_KEY_FILE: this is an API key, not the name of a file.',
  );
});

test.each([
  ['60', 60_000],
  ['90s', 90_000],
  ['2m', 120_000],
  ['500ms', 500],
])('a wait of %s is %i ms', (wait, ms) => {
  expect(read({ wait }).waitMs).toBe(ms);
});

test('a wait without a time is a minute, and none is none', () => {
  expect(read({ wait: true }).waitMs).toBe(60_000);
  expect(read().waitMs).toBeNull();
});

test('the gRPC door is beside the REST one, with TLS where that has it', () => {
  expect(read().grpc).toEqual({ address: 'env.example:50051', tls: true });
  expect(read({ url: 'http://localhost:8080' }).grpc).toEqual({
    address: 'localhost:50051',
    tls: false,
  });
  expect(read({ grpcUrl: 'grpcs://x.example:443' }).grpc).toEqual({
    address: 'x.example:443',
    tls: true,
  });
});

test.each([
  ['BOMTRAIL_ONLY_NEW', 'only_new', 'only-new'],
  ['BOMTRAIL_FAIL_ON_KEV', 'fail_on_kev', 'fail-on-kev'],
  ['BOMTRAIL_ONLY_FIXABLE', 'only_fixable', 'only-fixable'],
  ['BOMTRAIL_FAIL_ON_LICENSE', 'fail_on_license', 'fail-on-license'],
])('%s and %s are true or false, and an error names the option', (name, entry, option) => {
  const message = `${option}: "yes" is neither true nor false.`;
  expect(() => read({}, { ...env, [name]: 'yes' })).toThrow(message);
  projectFile(`${entry}: yes\n`);
  expect(() => read()).toThrow(message);
});
