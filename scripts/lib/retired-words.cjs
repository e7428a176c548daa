// The retired vocabulary: names that must not come back, with the name to use instead. Run by scripts/check-words.mjs.
// Words with an ordinary technical meaning (line, row, log, run, place, turn, answer, ask, look, show, keep,
// hold, listed, known) are retired only in the compounds below.
const ts = require('typescript');

/**
 * Retired words, matched as consecutive words of an identifier, file name, or string code: `line id` matches
 * `lineId`, `LINE_ID`, `line_id`, `line-id` and `someLineIds`. A word also matches its plural.
 */
const retired = [
  ['line id', 'service_id'],
  ['version line', 'service'],
  ['sbom log', 'sbom_versions'],
  ['log entry', 'SbomVersion'],
  ['row id', 'vulnerability_id'],
  ['told by', 'notifiedBy'],
  ['told store', 'NotificationStore'],
  ['ledger', 'service state'],
  ['episode', 'alert period'],
  ['condemned', 'marked'],
  ['coverer', 'active decision'],
  ['caught up', 'rescan completed'],
  ['played', 'fake'],
  ['playkit', 'reference model'],
  ['world', 'harness'],
  ['estate', 'dataset'],
  ['door', 'transport'],
  ['holder', 'owner, or services using it'],
  ['held by', 'usedBy'],
  ['owed', 'pending'],
  ['settle', 'apply, evaluate, finish'],
  ['settled', 'applied, evaluated, finished'],
  ['forgotten', 'deleted'],
  ['disposition', 'status'],
  ['extent', 'scope'],
  ['standing', 'data status'],
  ['hit page', 'matches'],
  ['in one flight', 'singleFlight'],
  ['at one moment', 'withSnapshot'],
  ['too late', 'TimeoutError'],
  ['refusal', 'HTTP error, rejection'],
  ['mistake', 'error'],
  ['trouble', 'last error'],
  ['tidings', 'message'],
  ['passer', 'fault point'],
];

/** Names of JavaScript, HTTP and settings that contain a retired word. */
const allowed = /^(allSettled|PromiseSettledResult|content-disposition)$|^BOMTRAIL_[A-Z_]+$/i;

const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

const patterns = retired.map(([words, instead]) => ({
  instead,
  pattern: new RegExp(`(?:^| )${words}s?(?: |$)`),
}));

/** @returns the name to use instead of a retired one; null if the name is not retired */
function insteadOf(name) {
  if (allowed.test(name)) return null;
  const words = wordsOf(name).join(' ');
  return patterns.find(({ pattern }) => pattern.test(words))?.instead ?? null;
}

/** A string without spaces that looks like a field, subject, collection or file name. */
const code = /^[A-Za-z][\w./-]*$/;

/** Finds retired names in a source file and its name. @returns `{ line, name, instead }` each, in order */
function retiredNames(file, text) {
  const found = [];
  const base = file.split('/').pop();
  const inName = insteadOf(base.split('.')[0]);
  if (inName !== null) found.push({ line: 0, name: base, instead: inName });
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const check = (node) => {
    const instead = insteadOf(node.text);
    if (instead === null) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push({ line: line + 1, name: node.text, instead });
  };
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) check(node);
    else if (ts.isStringLiteralLike(node) && code.test(node.text) && !isModuleName(node))
      check(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Imported files are checked by their own name. */
function isModuleName({ parent }) {
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);
}

module.exports = { insteadOf, retiredNames };
