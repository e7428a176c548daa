import type { KevEntry } from '@bomtrail/messages';
import { z } from 'zod';
import { RiskFileError } from './parse-epss';

/** CISA's catalog. */
export interface KevCatalog {
  asOf: Date | null;
  entries: Map<string, KevEntry>;
}

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** Source: CISA, known_exploited_vulnerabilities_schema.json; fields that are not read are left out. */
const catalog = z.object({
  dateReleased: z.string().optional(),
  count: z.number().int().optional(),
  vulnerabilities: z
    .array(
      z.object({
        cveID: z.string().regex(/^CVE-\d{4}-\d{4,19}$/),
        dateAdded: day,
        dueDate: day.nullish(),
        knownRansomwareCampaignUse: z.string().optional(),
      }),
    )
    .min(1),
});

/**
 * Reads the catalog of known exploited vulnerabilities.
 *
 * @throws RiskFileError with the first value that is wrong; also if fewer entries are in it than
 *   it says
 */
export function parseKev(text: string): KevCatalog {
  const parsed = catalog.safeParse(jsonOf(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'the document';
    throw new RiskFileError(`${place}: ${issue?.message ?? 'is invalid'}`);
  }
  const { dateReleased, count, vulnerabilities } = parsed.data;
  if (count !== undefined && count !== vulnerabilities.length)
    throw new RiskFileError(`it announces ${count} entries and has ${vulnerabilities.length}`);
  const at = new Date(dateReleased ?? '');
  return {
    asOf: Number.isNaN(at.getTime()) ? null : at,
    entries: new Map(
      vulnerabilities.map(({ cveID, dateAdded, dueDate, knownRansomwareCampaignUse }) => [
        cveID,
        {
          date_added: dateAdded,
          due_date: dueDate ?? null,
          ransomware: knownRansomwareCampaignUse === 'Known',
        },
      ]),
    ),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RiskFileError('the file is not JSON');
  }
}
