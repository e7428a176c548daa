/** The labels in a line of text, separated by commas, each once. */
export function labelsOf(written: string): string[] {
  const labels = written.split(',').map((label) => label.trim());
  return [...new Set(labels.filter((label) => label !== ''))];
}
