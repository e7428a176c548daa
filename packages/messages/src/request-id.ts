/** A client's request id that is accepted (docs/rules.md H3). */
export const requestIdForm = /^[A-Za-z0-9._:-]{1,128}$/;
