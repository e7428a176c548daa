import { bodyOf } from './client';
import { fileNameOf } from './file-name';

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/**
 * Saves a response as a file, under the name that the server gives it. Through a fetch: a link could
 * not carry the key.
 *
 * @param answer requested with `parseAs: 'blob'`
 * @throws ApiError
 */
export async function saveAnswer(answer: Promise<Answer>, fallbackName: string): Promise<void> {
  const blob = (await bodyOf(answer)) as Blob;
  const { response } = await answer;
  saveBlob(blob, fileNameOf(response.headers.get('Content-Disposition')) ?? fallbackName);
}

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
