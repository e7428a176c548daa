import { currentKey, isSignedIn, signOut } from '../app/session';
import { ownPageHeader, type Schemas } from './client';
import { errorOf, isOfProxy, parsed, unanswered } from './errors';

export interface UploadRequest {
  file: File;
  projectId: string;
  serviceName: string;
  version: string;
  /** Share of the bytes sent, 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Uploads an SBOM. With XMLHttpRequest, because fetch reports no progress of a body.
 *
 * @throws ApiError
 */
export function uploadSbom(request: UploadRequest): Promise<Schemas['SBOMUploadResponse']> {
  const form = new FormData();
  form.set('project_id', request.projectId);
  form.set('service_name', request.serviceName);
  form.set('version', request.version);
  form.set('file', request.file);
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', '/api/v1/sboms/upload');
    const key = currentKey();
    if (key !== null) call.setRequestHeader('Authorization', `Bearer ${key}`);
    for (const [name, value] of Object.entries(ownPageHeader)) call.setRequestHeader(name, value);
    call.upload.addEventListener('progress', ({ loaded, total }) =>
      request.onProgress(total > 0 ? loaded / total : 0),
    );
    call.addEventListener('error', () => reject(unanswered('POST')));
    call.addEventListener('load', () => {
      const body = parsed(call.responseText);
      if (call.status === 201) return resolve(body as Schemas['SBOMUploadResponse']);
      if (isOfProxy(call.status, body)) return reject(unanswered('POST'));
      const failure = errorOf({
        status: call.status,
        body,
        header: (name) => call.getResponseHeader(name),
      });
      // Not the session of whoever has signed in since.
      if (failure.status === 401 && isSignedIn() && currentKey() === key) signOut('expired');
      reject(failure);
    });
    call.send(form);
  });
}
