/** The parts of an OpenAPI document that are looked at here. */
export interface ServedDocument {
  info: { version: string };
  servers?: { url: string; description?: string }[];
}

/** The contract as this installation serves it: with its public address beside the relative one. */
export function servedDocument(document: object, publicUrl: string | undefined): ServedDocument {
  const contract = document as ServedDocument;
  if (publicUrl === undefined) return contract;
  const server = { url: publicUrl, description: 'The public address of this installation.' };
  return { ...contract, servers: [...(contract.servers ?? []), server] };
}
