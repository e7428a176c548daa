/** A request id that is taken over from a client (docs/rules.md H3). */
export const requestIdForm = /^[A-Za-z0-9._:-]{1,128}$/;
