/** Starting a server on a busy machine takes seconds, so tests with real servers have a minute each. */
jest.setTimeout(60_000);
