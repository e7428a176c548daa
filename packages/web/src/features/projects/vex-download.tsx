import { api } from '../../api/client';
import { saveAnswer } from '../../api/download';
import { DownloadMenu } from '../../components/download-menu';
import { text } from '../../text/en';

interface VexScope {
  project_id: string;
  service_id?: string;
  sbom_id?: string;
}

const formats = ['openvex', 'cyclonedx', 'csaf'] as const;

/** The decisions of a project, a service or an SBOM as a VEX document, in one of three formats. */
export function VexDownload({ scope }: { scope: VexScope }) {
  const files = formats.map(
    (format) => [text.vex.formats[format], () => saveVex(scope, format)] as const,
  );
  return <DownloadMenu label={text.vex.open} note={text.vex.note} files={files} />;
}

function saveVex(
  { project_id, ...query }: VexScope,
  format: (typeof formats)[number],
): Promise<void> {
  const params = { path: { project_id }, query: { ...query, format } };
  return saveAnswer(
    api.GET('/api/v1/projects/{project_id}/vex', { params, parseAs: 'blob' }),
    `${format}.json`,
  );
}
