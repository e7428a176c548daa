import { isJsonObject, type JsonObject } from '@bomtrail/sbom-formats';
import { JUSTIFICATIONS, statusOf } from '../mapping';
import { utc } from '../times';
import type { ReadVexResult, VexProduct, VexStatement } from '../vex-document';
import { checkCsaf } from './check-csaf';
import type { CsafDocument, CsafProductReference, CsafVulnerability } from './csaf-document';
import { productsOf } from './csaf-products';

/** CSAF 2.0, section 3.2.1.3: `document.csaf_version` is mandatory. */
export function isCsaf({ document }: JsonObject): boolean {
  return isJsonObject(document) && ('csaf_version' in document || 'tracking' in document);
}

/** Reads CSAF 2.0 of any profile: what is affected stands in the same sections. */
export function readCsaf(json: JsonObject): ReadVexResult {
  const problem = checkCsaf(json);
  if (problem !== null)
    return {
      ok: false,
      code: 'invalid_vex',
      detail: `The document is not valid CSAF 2.0: ${problem}.`,
    };
  const csaf = json as unknown as CsafDocument;
  const { publisher, tracking } = csaf.document;
  // CSAF 2.0, section 3.2.1.12.7: a draft may only ask for feedback, so it must not hide a vulnerability.
  if (tracking.status === 'draft')
    return {
      ok: false,
      code: 'invalid_vex',
      detail:
        'The document is a draft ("document.tracking.status"), which decides nothing: wait for the status "interim" or "final".',
    };
  const resolve = productsOf(csaf.product_tree ?? {});
  const groups = new Map(
    (csaf.product_tree?.product_groups ?? []).map((one) => [one.group_id, one.product_ids]),
  );
  const changed = utc(tracking.current_release_date);
  const statements = (csaf.vulnerabilities ?? []).flatMap((one) =>
    statementsOf(one, { resolve, groups, timestamp: changed }),
  );
  return {
    ok: true,
    document: {
      format: 'csaf',
      spec_version: '2.0',
      id: `${publisher.namespace} ${tracking.id}`,
      version: tracking.version,
      author: publisher.name,
      timestamp: utc(tracking.initial_release_date),
      last_updated: changed,
      statements,
    },
  };
}

interface Context {
  resolve: (id: string) => VexProduct;
  groups: ReadonlyMap<string, string[]>;
  timestamp: string | null;
}

/** One statement for the products that share a status, a justification and the texts. */
function statementsOf(vulnerability: CsafVulnerability, context: Context): VexStatement[] {
  const ids = [
    ...(vulnerability.cve === undefined ? [] : [vulnerability.cve]),
    // Others are numbers of the publisher's own systems, such as those of its bug tracker.
    ...(vulnerability.ids ?? []).map(({ text }) => text).filter((text) => /^[A-Za-z]+-/.test(text)),
  ];
  const flag = byProduct(vulnerability.flags, context, ({ label }) => label);
  const impacts = (vulnerability.threats ?? []).filter(({ category }) => category === 'impact');
  const impact = byProduct(impacts, context, ({ details }) => details);
  const action = byProduct(vulnerability.remediations, context, ({ details }) => details);
  const statements = new Map<string, VexStatement>();
  for (const [state, productIds] of Object.entries(vulnerability.product_status ?? {})) {
    const status = statusOf('csaf', state);
    // `recommended` says nothing about the vulnerability.
    if (status === null) continue;
    for (const id of productIds) {
      const product = context.resolve(id);
      const label = status === 'not_affected' ? flag(id) : null;
      const detail = impact(id);
      const key = JSON.stringify([state, label, detail, action(id)]);
      const known = statements.get(key);
      if (known) known.products.push(product);
      else
        statements.set(key, {
          vulnerability: [...new Set(ids)],
          products: [product],
          status,
          justification: JUSTIFICATIONS.find((one) => one === label) ?? null,
          written: { state, justification: label },
          detail,
          action: action(id),
          timestamp: context.timestamp,
        });
    }
  }
  return [...statements.values()];
}

/** What an entry says of a product: the first that names it, by id or group, else the first that names none. */
function byProduct<Entry extends CsafProductReference>(
  entries: readonly Entry[] = [],
  { groups }: Context,
  textOf: (entry: Entry) => string,
): (productId: string) => string | null {
  const named = new Map<string, string>();
  let general: string | null = null;
  for (const entry of entries) {
    const { product_ids: ids, group_ids: groupIds } = entry;
    if (!ids && !groupIds) general ??= textOf(entry);
    for (const id of [
      ...(ids ?? []),
      ...(groupIds ?? []).flatMap((group) => groups.get(group) ?? []),
    ])
      if (!named.has(id)) named.set(id, textOf(entry));
  }
  return (id) => named.get(id) ?? general;
}
