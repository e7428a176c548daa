/**
 * The key in `Bearer <API_KEY>`, scheme case-insensitive (docs/rules.md H8); null if the header has
 * another form.
 *
 * @param authorization the header or metadata entry of that name
 */
export function bearerKey(authorization: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
