/** The `filename` of a Content-Disposition header. */
export function fileNameOf(header: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(header ?? '')?.[1];
}
