/** A request id that is taken over from a client (decisions.md "Bodies that are not shown"). */
export const requestIdForm = /^[A-Za-z0-9._:-]{1,128}$/;
