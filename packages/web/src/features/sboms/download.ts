import { api, bodyOf } from '../../api/client';
import { fileNameOf } from './file-name';

/** Saves the document as it was uploaded. Through a fetch: a link could not carry the key. */
export async function downloadSbom(sbomId: string): Promise<void> {
  const answer = api.GET('/api/v1/sboms/{sbom_id}/download', {
    params: { path: { sbom_id: sbomId } },
    parseAs: 'blob',
  });
  const blob = (await bodyOf(answer)) as unknown as Blob;
  const { response } = await answer;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileNameOf(response.headers.get('Content-Disposition')) ?? `${sbomId}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
