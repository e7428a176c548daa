/** The relevant parts of an OpenAPI document. */
export interface ServedDocument {
  info: { version: string };
  servers?: { url: string; description?: string }[];
}

/** The contract with the public address of this installation as an additional server. */
export function servedDocument(document: object, publicUrl: string | undefined): ServedDocument {
  const contract = document as ServedDocument;
  if (publicUrl === undefined) return contract;
  const server = { url: publicUrl, description: 'The public address of this installation.' };
  return { ...contract, servers: [...(contract.servers ?? []), server] };
}
