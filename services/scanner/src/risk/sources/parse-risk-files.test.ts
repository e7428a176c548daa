import { gzipSync } from 'node:zlib';
import { parseEpss } from './parse-epss';
import { parseKev } from './parse-kev';
import { linesOf, textOf, unpacked } from './read-lines';

async function* pieces(bytes: Buffer, size = 7): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const head = '#model_version:v2026.06.15,score_date:2026-08-15T12:00:00Z\ncve,epss,percentile\n';
const readEpss = (bytes: Buffer) => parseEpss(linesOf(unpacked(pieces(bytes))));

test.each([
  ['plain', (text: string) => Buffer.from(text)],
  ['gzip', (text: string) => gzipSync(text)],
])('a day of EPSS is read, %s', async (_form, pack) => {
  const text = `${head}CVE-1999-0001,0.03351,0.8765\nCVE-2021-44228,1,1.00000\nCVE-2026-1,0,0\n`;
  await expect(readEpss(pack(text))).rejects.toThrow('line 5: the first value is not a CVE');
  const day = await readEpss(pack(text.replace('CVE-2026-1', 'CVE-2026-0001')));
  expect(day.asOf?.toISOString()).toBe('2026-08-15T12:00:00.000Z');
  expect([...day.scores]).toEqual([
    ['CVE-1999-0001', { score: 0.03351, percentile: 0.8765 }],
    ['CVE-2021-44228', { score: 1, percentile: 1 }],
    ['CVE-2026-0001', { score: 0, percentile: 0 }],
  ]);
});

test.each([
  ['a page', '<!doctype html>\n<html></html>\n', 'line 1: the columns are not cve,epss,percentile'],
  ['nothing', '', 'the file is empty'],
  ['only a head', head, 'the file has no scores'],
  ['other columns', 'cve,percentile,epss\nCVE-2021-0001,0.1,0.2\n', 'line 1: the columns'],
  ['a score of 7', `${head}CVE-2021-0001,7,0.2\n`, 'line 3: score and percentile must be from 0'],
  ['a negative one', `${head}CVE-2021-0001,-0.1,0.2\n`, 'line 3: score and percentile'],
  ['a word', `${head}CVE-2021-0001,high,0.2\n`, 'line 3: score and percentile'],
  ['a further column', `${head}CVE-2021-0001,0.1,0.2,0.3\n`, 'line 3: score and percentile'],
  ['a line that is cut', `${head}CVE-2021-0001,0.1,0.2\nCVE-2021-0002,0.1,0.`, 'line 4'],
  ['a last line that is cut', `${head}CVE-2021-0001,0.1,0.2`, 'the last line is cut off'],
])('%s is no day of EPSS', async (_name, text, reason) => {
  await expect(readEpss(Buffer.from(text))).rejects.toThrow(reason);
});

test('a gzip file that is cut is refused, at whatever place', async () => {
  const whole = gzipSync(`${head}CVE-2021-0001,0.1,0.2\n`);
  for (let at = 1; at < whole.length; at += 1)
    await expect(readEpss(whole.subarray(0, at))).rejects.toThrow();
  await expect(readEpss(whole)).resolves.toMatchObject({ asOf: expect.any(Date) });
});

const entry = { cveID: 'CVE-2021-44228', dateAdded: '2021-12-10', dueDate: '2021-12-24' };
const readKev = async (value: unknown) =>
  parseKev(await textOf(unpacked(pieces(Buffer.from(JSON.stringify(value))))));

test('the catalog of known exploited vulnerabilities is read', async () => {
  const other = { cveID: 'CVE-2020-1938', dateAdded: '2022-03-03' };
  const { asOf, entries } = await readKev({
    catalogVersion: '2026.08.07',
    dateReleased: '2026-08-07T16:45:47.0648Z',
    count: 2,
    vulnerabilities: [{ ...entry, knownRansomwareCampaignUse: 'Known' }, other],
  });
  expect(asOf?.toISOString()).toBe('2026-08-07T16:45:47.064Z');
  expect([...entries]).toEqual([
    ['CVE-2021-44228', { date_added: '2021-12-10', due_date: '2021-12-24', ransomware: true }],
    ['CVE-2020-1938', { date_added: '2022-03-03', due_date: null, ransomware: false }],
  ]);
});

test.each([
  ['an empty list', { vulnerabilities: [] }, 'vulnerabilities'],
  ['no list', { title: 'x' }, 'vulnerabilities'],
  ['another count', { count: 2, vulnerabilities: [entry] }, 'announces 2 entries and has 1'],
  ['a wrong id', { vulnerabilities: [{ ...entry, cveID: 'GHSA-1' }] }, 'vulnerabilities.0.cveID'],
  ['a wrong date', { vulnerabilities: [{ ...entry, dateAdded: 'soon' }] }, '0.dateAdded'],
])('%s is no catalog', async (_name, value, reason) => {
  await expect(readKev(value)).rejects.toThrow(reason);
});

test('a page is no catalog', () => {
  expect(() => parseKev('<html>')).toThrow('the file is not JSON');
});
