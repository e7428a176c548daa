/**
 * A test that hangs ends after five minutes. Nothing is measured by it: on a busy machine a test of seconds takes
 * minutes, and its result must not depend on that.
 */
jest.setTimeout(300_000);
