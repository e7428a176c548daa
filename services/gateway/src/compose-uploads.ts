import { access, constants } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { requestTimeoutMs } from '@bomtrail/http-edge';
import { uploadsWaiting } from '@bomtrail/messages';
import { createUploadPauses, type Kit } from '@bomtrail/service-runtime';
import { SettingsError } from '@bomtrail/settings';
import type { Settings } from './config';
import {
  createAdmissionQueue,
  passing,
  releasingSmall,
  throughBoth,
  type AdmissionQueue,
} from './uploads/admission-queue';
import { announceWaiting } from './uploads/announce-waiting';
import { createKnownDocuments, type KnownDocuments } from './uploads/known-documents';
import type { ReceiveFileOptions } from './uploads/received-file';
import { removeStaleFiles } from './uploads/store-file';

/** Messages over gRPC are held in memory; this many bytes for each upload are always there. */
const smallMessageBytes = 1024 * 1024;

/** Slots of one protocol; checks yield to uploads that wait for their response. */
export interface UploadSlots {
  admission: AdmissionQueue;
  checkAdmission: AdmissionQueue;
}

/** What receives documents, shared by REST and gRPC. */
export interface Uploads {
  receive: ReceiveFileOptions;
  knownDocuments: KnownDocuments;
  rest: UploadSlots;
  /** Also limited by the messages that fit into memory. */
  grpc: UploadSlots;
  /**
   * Removes files that an earlier process left.
   *
   * @throws SettingsError if files cannot be created there: without a file large uploads fail
   */
  removeStaleFiles(): Promise<void>;
}

/** Builds the queues of uploads and checks; waiting uploads are announced to this host. */
export function composeUploads(kit: Pick<Kit, 'broadcast' | 'log'>, settings: Settings): Uploads {
  const queue = (atOnce: number, what?: string) =>
    createAdmissionQueue({ atOnce, waiting: settings.UPLOAD_QUEUE, what });
  const knownDocuments = createKnownDocuments();
  const directory = settings.BOMTRAIL_TEMP_DIR ?? tmpdir();
  const pauses = createUploadPauses();
  const host = hostname();
  const admission = announceWaiting(queue(settings.UPLOAD_CONCURRENCY), () => {
    pauses.heard({ host });
    kit.broadcast(uploadsWaiting, { host });
  });
  const checkAdmission = passing(queue(settings.CHECK_CONCURRENCY, 'checks'), () => pauses.pass());
  const inMemory = releasingSmall(queue(settings.GRPC_UPLOAD_CONCURRENCY), smallMessageBytes);

  return {
    receive: {
      directory,
      maxBytes: settings.MAX_UPLOAD_BYTES,
      onDiskError: ({ code }) =>
        kit.log.error(
          { directory, code },
          'Large uploads cannot be stored: check the folder of BOMTRAIL_TEMP_DIR and its disk.',
        ),
      isKnown: (sha256) => knownDocuments.has(sha256),
    },
    knownDocuments,
    rest: { admission, checkAdmission },
    grpc: {
      admission: throughBoth(inMemory, admission),
      checkAdmission: throughBoth(inMemory, checkAdmission),
    },
    async removeStaleFiles() {
      try {
        await removeStaleFiles(directory, 2 * requestTimeoutMs);
        await access(directory, constants.W_OK);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new SettingsError([
          `BOMTRAIL_TEMP_DIR: files cannot be created in ${directory} (${code}).`,
        ]);
      }
    },
  };
}
