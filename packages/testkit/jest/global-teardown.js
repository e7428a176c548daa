/** Ends what the set-up has started. */
module.exports = async function globalTeardown() {
  await globalThis.stopSharedMongod?.();
};
