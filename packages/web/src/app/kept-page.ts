/**
 * Keeps the browser from opening a file in the place of the page if it is dropped where nothing takes it.
 *
 * @param onDrop is told of each such file
 * @returns ends it
 */
export function keepPage(onDrop: () => void = () => {}): () => void {
  const listening = new AbortController();
  for (const name of ['dragover', 'drop'] as const) {
    const keep = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      if (name === 'drop') onDrop();
    };
    addEventListener(name, keep, { signal: listening.signal });
  }
  return () => listening.abort();
}

/** Whether files are dragged, not text or a link of the page. */
export function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
