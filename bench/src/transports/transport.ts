import type { SendUpload, Upload } from '../load/api';

/** A way in for uploads. */
export interface Transport {
  prepareUpload(upload: Upload): SendUpload;
  close(): Promise<void>;
}
