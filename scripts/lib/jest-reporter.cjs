const { relative } = require('node:path');

/**
 * One line a test file, and what failed in full, on standard error. jest's own summary is left out: the
 * totals of all suites together are the last line of the run.
 */
class FileLineReporter {
  onTestFileResult(test, result) {
    const file = relative(process.cwd(), test.path);
    const seconds = ((result.perfStats.end - result.perfStats.start) / 1_000).toFixed(1);
    const counts = [`${result.numPassingTests} passed`];
    if (result.numFailingTests > 0) counts.push(`${result.numFailingTests} failed`);
    if (result.numPendingTests > 0) counts.push(`${result.numPendingTests} skipped`);
    if (result.testExecError) counts.push('could not run');
    const failed = result.numFailingTests > 0 || Boolean(result.testExecError);
    const suite = test.context.config.displayName?.name ?? '';
    process.stderr.write(
      `${failed ? 'FAIL' : 'ok  '} ${suite} ${file}: ${counts.join(', ')} (${seconds} s)\n`,
    );
    if (result.failureMessage) process.stderr.write(`${result.failureMessage}\n`);
    for (const entry of result.console ?? []) {
      if (failed) process.stderr.write(`${entry.type}: ${entry.message}\n`);
    }
  }

  onRunComplete(_contexts, results) {
    if (results.runExecError) process.stderr.write(`${results.runExecError.message}\n`);
  }
}

module.exports = FileLineReporter;
