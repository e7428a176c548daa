import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { getFile, httpBase, type HttpOptions } from '../../feeds/sources/http-get';
import type { RiskFeed } from '../domain/risk-feed-state';

/** Setting that switches a feed off. */
export const feedOff = 'off';

/** Public addresses. Sources: FIRST "EPSS data", CISA "Known Exploited Vulnerabilities Catalog". */
export const publicRiskFeeds: Readonly<Record<RiskFeed, string>> = {
  epss: 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz',
  kev: 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
};

/**
 * Names of the files in a folder; the last by name is the newest, since the date is in it. CISA publishes the schema of
 * KEV beside it, as `known_exploited_vulnerabilities_schema.json`.
 */
const namesInFolder: Readonly<Record<RiskFeed, RegExp>> = {
  epss: /^epss_scores-.*\.csv(\.gz)?$/,
  kev: /^known_exploited_vulnerabilities(?!_schema).*\.json(\.gz)?$/,
};

/** The configured source of a feed. */
export interface RiskSource {
  feed: RiskFeed;
  /** A file, a folder or a URL. */
  address: string;
  /** Whether it was configured: then failures are warnings. */
  isConfigured: boolean;
}

/**
 * Opens the current edition of a feed and passes it to `take`.
 *
 * @param known fingerprint of the loaded edition, null for none
 * @returns `unchanged` for the known edition
 * @throws Error with a readable reason
 */
export async function openRiskFile<Result>(
  source: RiskSource,
  options: { known: string | null; http: HttpOptions; signal: AbortSignal },
  take: (body: AsyncIterable<Uint8Array>, fingerprint: string | null) => Promise<Result>,
): Promise<Result | 'unchanged'> {
  const { known, signal, http } = options;
  if (/^https?:\/\//i.test(source.address)) {
    const setting = `BOMTRAIL_${source.feed.toUpperCase()}_SOURCE`;
    const whole = httpBase(source.address, http, setting);
    const cut = whole.url.lastIndexOf('/');
    const base = { ...whole, url: whole.url.slice(0, cut) };
    const request = { path: whole.url.slice(cut), known, signal };
    const found = await getFile(base, request, (body, head) => take(body, head.fingerprint));
    if (found === 'absent') throw new Error('the server does not have it (status 404)');
    return found;
  }
  const file = await fileOf(source);
  const { size, mtimeMs } = await stat(file);
  const fingerprint = `${path.basename(file)} ${size} ${mtimeMs}`;
  if (fingerprint === known) return 'unchanged';
  return take(createReadStream(file), fingerprint).catch((error: unknown) => {
    if (file === source.address) throw error;
    // The setting names the folder only.
    throw new Error(`${path.basename(file)}: ${(error as Error).message}`, { cause: error });
  });
}

async function fileOf({ address, feed }: RiskSource): Promise<string> {
  const found = await stat(address).catch(() => null);
  if (!found) throw new Error(`${address} does not exist or cannot be read`);
  if (!found.isDirectory()) return address;
  const names = (await readdir(address)).filter((name) => namesInFolder[feed].test(name)).sort();
  const newest = names.at(-1);
  if (newest === undefined) throw new Error(`${address} has no file of this feed`);
  return path.join(address, newest);
}
