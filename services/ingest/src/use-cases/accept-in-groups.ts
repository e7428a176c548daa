import { createGroups } from '@bomtrail/concurrency';
import type { AcceptedUpload } from '@bomtrail/messages';
import { acceptUpload, smallBytes, type AcceptUploadDeps, type Upload } from './accept-upload';

const maxGroup = 32;

/**
 * Accepts uploads, small documents in groups: under load, the uploads of a group share their
 * database commands, their messages to the parser threads and the transaction of the catalog
 * (docs/performance.md). A single upload does not wait.
 */
export function createAcceptUpload(
  deps: AcceptUploadDeps,
): (upload: Upload, bytes: Uint8Array | null) => Promise<AcceptedUpload> {
  const inGroup = createGroups(maxGroup);
  return (upload, bytes) => {
    const accept = () => acceptUpload(deps, upload, bytes);
    return upload.size <= smallBytes ? inGroup(accept) : accept();
  };
}
