/**
 * The key in `Bearer <API_KEY>`, the scheme in any case (docs/rules.md H8); null when
 * the text is no such header.
 *
 * @param authorization the header or metadata entry of that name
 */
export function bearerKey(authorization: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
