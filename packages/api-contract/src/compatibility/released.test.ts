import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { operationsOf } from '../contract';
import { dereference } from '../dereference';
import { openapiDocument } from '../document';
import type { ResolvedDocument } from '../schema';
import { breakingChanges } from './breaking-changes';
import { operationBreaks } from './operation';

const folder = join(__dirname, '../../released');
const releases = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

/** Breaks that a decision wanted, each with its reason; nothing else may stand here. */
const decided = [
  {
    release: '1.0.1',
    // The same types, as `anyOf` instead of a list of types, which oapi-codegen refuses.
    places: / 422 body\.detail\[\]\.loc\[\]$/,
  },
  {
    release: '1.0.1',
    // docs/rules.md AL4: addresses in a rule's config are judged with 422.
    // Release 1.0.1 answered no alert rules yet, so nothing that was accepted is refused now.
    places: /^(create|update)AlertRule request body\.config\.(webhook_url|recipients)\b/,
  },
  {
    release: '1.0.1',
    // docs/rules.md AL5: further reasons in a rule's config, judged for the same reason.
    places:
      /^(create|update)AlertRule request body\.config(\.(by_severity|kev|min_epss)\b| \(x-alert-reason\)$)/,
  },
  {
    release: '1.0.1',
    // docs/rules.md AL8: keys of further channels in a rule's config, judged for the same reason.
    places: /^(create|update)AlertRule request body\.config\.(webhook_secret|routing_key)\b/,
  },
  {
    release: '1.0.1',
    // docs/rules.md AL9 to AL13: which services a rule is about and when it sends, judged for the same reason.
    places:
      /^(create|update)AlertRule request body\.config\.(owner|labels|quiet_hours|digest|reminders|reminder_days|installation)\b/,
  },
  {
    release: '1.0.1',
    // Further channels: only who creates such a rule sees them, and the values are open from now on.
    places: /^(listAlertRules 200 body\.items\[\]|createAlertRule 201 body)\.notification_type$/,
  },
  {
    release: '1.0.1',
    // docs/rules.md RA3: blanks alone are no reason for an acceptance.
    places: /^createAcceptance request body\.reason \(x-trim\)/,
  },
  {
    release: '1.0.1',
    // docs/rules.md RK2: an entry of KEV; release 1.0.1 always answered null.
    places: /^listActiveVulnerabilities 200 body\.items\[\]\.kev$/,
  },
  {
    release: '1.0.1',
    // docs/rules.md VU11: one id is still accepted, and now several, comma-separated.
    places: /^(listActiveVulnerabilities|getVulnerabilitySummary) query service_id \(format\)$/,
  },
  {
    release: '1.0.1',
    // docs/rules.md VU8: ids with a comma, which matched nothing, are refused.
    places: /^listActiveVulnerabilities query cve_id \(format\)$/,
  },
  {
    release: '1.0.1',
    // docs/rules.md DC1: decisions of other kinds give statuses of their own.
    places: /\bstatus$/,
  },
];

function readReleased(file: string): ResolvedDocument {
  const document = parse(readFileSync(join(folder, file), 'utf8')) as ResolvedDocument;
  // "New codes may be added", 1.0.1 says in words; later releases with the keyword.
  const codes = document.components.schemas.ErrorCode;
  if (codes && document.info.version === '1.0.1') codes['x-open-values'] = true;
  return document;
}

test.each(releases)('the contract breaks no client of %s', (file) => {
  const released = readReleased(file);
  const isDecided = (where: string) =>
    decided.some(({ release, places }) => release === released.info.version && places.test(where));
  const broken = breakingChanges(released, openapiDocument())
    .filter(({ where }) => !isDecided(where))
    .map(({ rule, where }) => `${rule}: ${where}`);
  expect(broken).toEqual([]);
});

test.each(releases)('%s is named after its version', (file) => {
  expect(file).toBe(`openapi-${readReleased(file).info.version}.yaml`);
});

test('the first release is included', () => {
  expect(releases).toContain('openapi-1.0.1.yaml');
});

/** Every object below a document that holds fields or answers by name. */
function objectsWith(node: unknown, key: 'properties' | 'responses'): Record<string, unknown>[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = (node as Record<string, unknown>)[key];
  const below = Object.entries(node).filter(([name]) => !/^examples?$/.test(name));
  return [
    ...(typeof own === 'object' && own !== null ? [own as Record<string, unknown>] : []),
    ...below.flatMap(([, part]) => objectsWith(part, key)),
  ];
}

test('the comparison detects every lost field and response', () => {
  let lost = 0;
  for (const { operation } of operationsOf(dereference(openapiDocument()))) {
    const current = structuredClone(operation);
    for (const fields of [
      ...objectsWith(current, 'properties'),
      ...objectsWith(current, 'responses'),
    ]) {
      for (const [name, value] of Object.entries(fields)) {
        delete fields[name];
        if (operationBreaks(operation, current).length === 0) {
          throw new Error(`${operation.operationId} lost ${name}, and nothing was said.`);
        }
        fields[name] = value;
        lost += 1;
      }
    }
  }
  expect(lost).toBeGreaterThan(500);
});
