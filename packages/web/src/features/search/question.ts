import { licenceGroups, type LicenceGroup } from '../sboms/licence-counts';

/** What a text in the one search box asks for. */
export type Question =
  | { kind: 'vulnerability'; id: string }
  | { kind: 'purl'; purl: string }
  | { kind: 'licence'; license: string }
  | { kind: 'licence-group'; group: LicenceGroup }
  | { kind: 'package'; name: string; version: string | undefined };

/** Ids of advisories: a prefix of letters, then something with a digit, as OSV's databases name them. */
const advisoryId = /^[a-z][a-z]+-[\w.:-]*\d[\w.:-]*$/i;
const ghsa = /^ghsa(-[\da-z]{4}){3}$/i;
const databases =
  /^(cve|ghsa|pysec|go|rustsec|osv|mal|dsa|dla|usn|rhsa|alsa|rlsa|suse-[a-z]{2}|opensuse-[a-z]{2}|alpine|gsd|hsec|rsec|bit|snyk|cgaproof|cga|elsa|mgasa)-/i;

/** `license:` asks for a licence; `lodash@4.17.15` and `lodash 4.17.15` are a package in a version; `@scope/name` is a name. */
export function questionOf(text: string): Question {
  const asked = text.trim();
  if (/^pkg:/i.test(asked)) return { kind: 'purl', purl: asked };
  const [, licence] = /^licen[cs]e:\s*(.+)$/i.exec(asked) ?? [];
  if (licence) return licenceQuestion(licence);
  if (ghsa.test(asked) || (advisoryId.test(asked) && databases.test(asked))) {
    return { kind: 'vulnerability', id: asked };
  }
  const [, name, version] = /^(\S+?)(?:\s+|(?<=.)@)([^\s@/]+)$/.exec(asked) ?? [];
  if (name && version) return { kind: 'package', name, version };
  return { kind: 'package', name: asked, version: undefined };
}

/** A group as the page or the API writes it, else an id. */
function licenceQuestion(text: string): Question {
  const folded = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const group = licenceGroups.find((one) => one === folded);
  return group ? { kind: 'licence-group', group } : { kind: 'licence', license: text.trim() };
}
