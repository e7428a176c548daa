import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { comparerOf } from '../registry';
import { type Fact, type Verdict, judge, readFacts } from './fact-line';

const DISPUTED_FOLDER = join(__dirname, '../../testdata/disputed');

/** Which ecosystems a file of facts speaks about, by its name without `-versions[-generated].txt`. */
const ECOSYSTEMS_OF_FILE: Readonly<Record<string, readonly string[]>> = {
  alpine: ['Alpine'],
  cran: ['CRAN'],
  debian: ['Debian', 'Ubuntu'],
  hackage: ['Hackage'],
  maven: ['Maven'],
  nuget: ['NuGet'],
  packagist: ['Packagist'],
  pub: ['Pub'],
  pypi: ['PyPI'],
  redhat: ['Red Hat'],
  rubygems: ['RubyGems'],
  semver: ['npm', 'crates.io', 'Go', 'Hex', 'SwiftURL', 'ConanCenter', 'GitHub Actions'],
};

export interface FileResult {
  file: string;
  /** Null: the table does not know the file, or nothing compares its ecosystem. */
  ecosystem: string | null;
  facts: number;
  right: number;
  unreadable: { fact: Fact; versions: string[] }[];
  wrong: { fact: Fact; verdict: Verdict }[];
  /** Answered otherwise on purpose: listed, each with its reason, in `testdata/disputed`. */
  disputed: Fact[];
}

/**
 * Evaluates every file of facts in a folder, once for each ecosystem that it speaks about.
 *
 * @throws Error when the folder is missing or holds no file of facts, or a file is malformed.
 */
export function checkFolder(folder: string): FileResult[] {
  if (!existsSync(folder)) throw new Error(`no folder ${folder}`);
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  if (files.length === 0) throw new Error(`no files of version facts in ${folder}`);
  return files.sort().flatMap((file) => checkFile(folder, file));
}

function checkFile(folder: string, file: string): FileResult[] {
  const facts = readFacts(readFileSync(join(folder, file), 'utf8'));
  const subject = file.replace(/-versions(-generated)?\.txt$/, '');
  const ecosystems = (ECOSYSTEMS_OF_FILE[subject] ?? []).filter((name) => comparerOf(name));
  if (ecosystems.length > 0) return ecosystems.map((name) => checkFacts(file, name, facts));
  const unchecked = { file, ecosystem: null, facts: facts.length, right: 0 };
  return [{ ...unchecked, unreadable: [], wrong: [], disputed: [] }];
}

function checkFacts(file: string, ecosystem: string, facts: readonly Fact[]): FileResult {
  const compare = comparerOf(ecosystem);
  if (compare === undefined) throw new Error(`no comparer for ${ecosystem}`);
  const result: FileResult = {
    file,
    ecosystem,
    facts: facts.length,
    right: 0,
    unreadable: [],
    wrong: [],
    disputed: [],
  };
  const disputed = disputedFacts(ecosystem);
  for (const fact of facts) {
    const verdict = judge(fact, compare);
    if (verdict.kind === 'right') result.right++;
    else if (verdict.kind === 'wrong' && disputed.has(fact.text)) result.disputed.push(fact);
    else if (verdict.kind === 'wrong') result.wrong.push({ fact, verdict });
    else result.unreadable.push({ fact, versions: verdict.versions });
  }
  return result;
}

/** The facts, as text, that we hold to be untrue of an ecosystem; empty for most. */
function disputedFacts(ecosystem: string): ReadonlySet<string> {
  const file = join(DISPUTED_FOLDER, `${ecosystem.toLowerCase()}.txt`);
  if (!existsSync(file)) return new Set();
  return new Set(readFacts(readFileSync(file, 'utf8')).map((fact) => fact.text));
}
