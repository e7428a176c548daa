import type * as Yaml from 'yaml';
import { usageError, type CliError } from '../exit-codes';
import type { Ignore } from '../ignores/ignore';

const maxEntries = 10_000;
const idShape = /^[A-Za-z][A-Za-z0-9]*-[A-Za-z0-9][A-Za-z0-9:._-]{0,198}$/;
const dayShape = /^\d{4}-\d{2}-\d{2}$/;
const known = ['id', 'reason', 'expires', 'package'];
const maxReasonLength = 2_000;

/** Where an entry is, for messages. */
interface Place {
  file: string;
  lineOf: (node: unknown) => number;
}

/**
 * Reads the list `ignore` of the project file.
 *
 * @param node the value of `ignore`
 * @throws CliError (usage) with file, line and remedy for the first invalid entry
 */
export function readIgnores(yaml: typeof Yaml, node: unknown, place: Place): Ignore[] {
  if (yaml.isScalar(node) && node.value === null) return [];
  if (!yaml.isSeq(node))
    throw invalid(place, node, '`ignore` must be a list. Begin each entry with `- id: CVE-…`.');
  if (node.items.length > maxEntries)
    throw invalid(place, node, `\`ignore\` has more than ${maxEntries} entries. Remove some.`);
  return node.items.map((item) => readEntry(yaml, item, place));
}

function readEntry(yaml: typeof Yaml, item: unknown, place: Place): Ignore {
  const needed = 'an entry needs `id`, `reason` and `expires`';
  if (!yaml.isMap(item)) throw invalid(place, item, `${needed}. Write \`- id: CVE-…\`.`);
  const texts = new Map<string, { text: string; node: unknown }>();
  for (const { key, value } of item.items) {
    const name = String(yaml.isScalar(key) ? key.value : key);
    if (!known.includes(name))
      throw invalid(place, key, `unknown entry "${name}". Known: ${known.join(', ')}.`);
    if (!yaml.isScalar(value) || !['string', 'number'].includes(typeof value.value))
      throw invalid(place, key, `\`${name}\` must be text. Put it in quotes.`);
    texts.set(name, { text: String(value.value).trim(), node: value });
  }
  const field = (name: string): { text: string; node: unknown } => {
    const found = texts.get(name);
    if (!found || found.text === '') throw invalid(place, item, `${needed}. Add \`${name}\`.`);
    return found;
  };
  const id = field('id');
  if (!idShape.test(id.text))
    throw invalid(place, id.node, `"${id.text}" is no id such as CVE-2021-44228. Correct it.`);
  const reason = field('reason');
  if ([...reason.text].length > maxReasonLength)
    throw invalid(place, reason.node, `\`reason\` is longer than ${maxReasonLength} characters.`);
  return {
    id: id.text,
    reason: reason.text,
    expiresAt: expiryOf(field('expires'), place),
    package: packageName(texts.get('package'), place),
    line: place.lineOf(item),
  };
}

/** A day counts whole, in UTC. */
function expiryOf({ text, node }: { text: string; node: unknown }, place: Place): Date {
  const time = Date.parse(dayShape.test(text) ? `${text}T00:00:00Z` : text);
  const isDay = dayShape.test(text);
  if (Number.isNaN(time) || !/^\d{4}-/.test(text) || (isDay && dayOf(time) !== text))
    throw invalid(
      place,
      node,
      `\`expires\`: "${text}" is no date. Write a day such as 2027-03-31.`,
    );
  return new Date(isDay ? time + 24 * 3600 * 1000 : time);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function packageName(
  given: { text: string; node: unknown } | undefined,
  place: Place,
): string | undefined {
  if (given === undefined || given.text === '') return undefined;
  const { text, node } = given;
  const base = text.split(/[?#]/, 1)[0] ?? '';
  if (text.startsWith('pkg:') && base.lastIndexOf('@') > base.lastIndexOf('/'))
    throw invalid(
      place,
      node,
      '`package` is a name, or a purl without a version. Leave the version out.',
    );
  return text;
}

function invalid(place: Place, node: unknown, problem: string): CliError {
  return usageError(`${place.file}:${place.lineOf(node)}: ${problem}`);
}
