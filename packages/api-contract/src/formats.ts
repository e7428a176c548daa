import { parsePurl } from '@bomtrail/purl';
import { routingKeyFault, webhookSecretFault } from './channel-secrets';
import { emailAddressFault } from './email-address';
import { oneOfThese, valueError, type Fault } from './fault';
import { instantFault, toUtc } from './instant';
import { buildUrlFault, repoUrlFault } from './repo-url';
import { webhookUrlFault } from './webhook-url';

export interface TextFormat {
  /** The fault of this text; `undefined` if valid. */
  fault(text: string): Fault | undefined;
  /** The value of a valid text; default: the text. */
  parse?(text: string): unknown;
  /** Problem type for a value that is not a string; default: `string_type`. */
  notText?: { type: string; msg: string };
  /** Separator that joins repeated parameters; without one a repeated parameter is 422. */
  joinedBy?: string;
}

const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'];
const statuses = ['open', 'fixed', 'accepted', 'not_affected', 'false_positive'];
const decisions = ['risk_accepted', 'not_affected', 'false_positive', 'in_triage'];
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Every `format` of the contract. */
export const formats: Record<string, TextFormat> = {
  uuid: {
    fault: (text) => (uuid.test(text) ? undefined : uuidFault()),
    parse: (text) => text.toLowerCase(),
    notText: { type: 'uuid_type', msg: 'UUID input should be a string' },
  },
  'date-time': {
    fault: instantFault,
    parse: toUtc,
    notText: { type: 'datetime_type', msg: 'Input should be a valid datetime' },
  },
  purl: { fault: purlFault },
  'vulnerability-id': { fault: vulnerabilityIdFault },
  email: { fault: emailAddressFault },
  'repo-url': { fault: repoUrlFault },
  'build-url': { fault: buildUrlFault },
  'webhook-url': { fault: (text) => webhookUrlFault(text, { anyAddress: false }) },
  'webhook-secret': { fault: webhookSecretFault },
  'routing-key': { fault: routingKeyFault },
  label: { fault: labelFault },
  owner: {
    fault: (text) => (text.trim() === '' ? valueError('an owner is not blank') : undefined),
  },
  'time-of-day': { fault: timeOfDayFault },
  'time-zone': { fault: timeZoneFault },
  'label-list': { fault: labelListFault, parse: labelsOf, joinedBy: ',' },
  'uuid-list': { fault: uuidListFault, parse: wordsOf },
  'search-words': { fault: searchFault, parse: (text) => text.trim() },
  'severity-list': listOf(severities),
  'status-list': listOf(statuses),
  'decision-list': listOf(decisions),
  'decision-filter-list': listOf([...decisions, 'none']),
};

function purlFault(text: string): Fault | undefined {
  return parsePurl(text) === null
    ? valueError('expected a package URL such as pkg:npm/lodash@4.17.15')
    : undefined;
}

/** A list would select nothing, which reads as not affected. */
function vulnerabilityIdFault(text: string): Fault | undefined {
  return text.includes(',')
    ? valueError('expected one id such as CVE-2021-44228; ask for several one by one')
    : undefined;
}

function uuidFault(): Fault {
  const error = 'expected 32 hexadecimal digits in groups of 8-4-4-4-12';
  return { type: 'uuid_parsing', msg: `Input should be a valid UUID, ${error}`, ctx: { error } };
}

/** Maximum services in one filter. */
const maxIds = 50;

function uuidListFault(text: string): Fault | undefined {
  const ids = wordsOf(text);
  if (!ids.every((id) => uuid.test(id))) return uuidFault();
  return ids.length > maxIds ? valueError(`at most ${maxIds} ids`) : undefined;
}

function timeOfDayFault(text: string): Fault | undefined {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
    ? undefined
    : valueError('expected a time such as 08:00 or 22:30');
}

function timeZoneFault(text: string): Fault | undefined {
  // Offsets are no zones: they know no summer.
  if (/^[A-Za-z]/.test(text) && isTimeZone(text)) return undefined;
  return valueError('expected an IANA time zone such as Europe/Berlin or UTC');
}

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Maximum characters of a label, and labels in one filter. */
const maxLabelLength = 64;
const maxLabels = 20;

function labelFault(text: string): Fault | undefined {
  if (text.trim() === '') return valueError('a label is not blank');
  return /[,\p{Cc}]/u.test(text) ? valueError('a label has no commas and line breaks') : undefined;
}

function labelListFault(text: string): Fault | undefined {
  const labels = labelsOf(text);
  if (labels.length > maxLabels) return valueError(`at most ${maxLabels} labels`);
  const isLong = labels.some((label) => Array.from(label).length > maxLabelLength);
  return isLong ? valueError(`a label has at most ${maxLabelLength} characters`) : undefined;
}

function labelsOf(text: string): string[] {
  const labels = text.split(',').map((label) => label.trim());
  return [...new Set(labels.filter((label) => label !== ''))];
}

/** Maximum words of a search text. */
const maxWords = 8;

function searchFault(text: string): Fault | undefined {
  return text.trim().split(/\s+/).length > maxWords
    ? valueError(`at most ${maxWords} words`)
    : undefined;
}

/** Comma-separated list of these words, case-insensitive. */
function listOf(words: readonly string[]): TextFormat {
  const expected = oneOfThese([...words]);
  const msg = `Input should be ${expected}, or several of these separated by commas`;
  return {
    fault: (text) =>
      wordsOf(text).every((word) => words.includes(word))
        ? undefined
        : { type: 'enum', msg, ctx: { expected } },
    parse: wordsOf,
    joinedBy: ',',
  };
}

function wordsOf(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim().toLowerCase());
  return [...new Set(parts.filter((part) => part !== ''))];
}
