/** A reason to stop with exit code 1, printed in one line: a wrong answer, a failed request, a deadline. */
export class BenchFailure extends Error {
  override readonly name = 'BenchFailure';
}
