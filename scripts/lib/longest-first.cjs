/** What takes longest: begun last, it would end alone. By size, as jest has it, a file that gathers others is small. */
const LONGEST = ['page', 'cli', 'projects', 'transports', 'findings', 'bad-requests'];

/** The order of the end-to-end tests. */
module.exports = class LongestFirst {
  sort(tests) {
    const place = ({ path }) => {
      const at = LONGEST.findIndex((name) => path.endsWith(`/${name}.e2e.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    return [...tests].sort((one, other) => place(one) - place(other));
  }

  /** Times are not kept. */
  cacheResults() {}
};
