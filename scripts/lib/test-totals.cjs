/**
 * Sums jest's JSON results. A suite that could not run counts as one failed test: it would have had
 * tests. Undefined stands for a run that left no result, which counts as one failed, too.
 */
function totalsOf(results) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) {
    if (result === undefined) {
      totals.failed += 1;
      continue;
    }
    totals.passed += result.numPassedTests;
    totals.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
    totals.skipped += result.numPendingTests + result.numTodoTests;
  }
  return totals;
}

/** The closing line of a test run: `12 passed, 0 failed`, with `, 3 skipped` when there are any. */
function totalsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** 0 only when something passed and nothing failed. */
function exitCodeOf({ passed, failed }) {
  return failed === 0 && passed > 0 ? 0 : 1;
}

module.exports = { totalsOf, totalsLine, exitCodeOf };
