import type { MultipartBody } from '../load/multipart';

export const uploadPath = '/api/v1/sboms/upload';
export const checkPath = '/api/v1/sboms/check';

/** What a request came to. */
export interface Answer {
  /** Of HTTP; `grpc N` of gRPC; `closed` where the line was closed without an answer. */
  status: string;
  /** `code` of a refusal. */
  code: string | null;
  /** Id of the SBOM that was accepted. */
  id: string | null;
  milliseconds: number;
}

/** The transports of the stack, as used by hostile inputs. */
export interface Transports {
  projectId: string;
  /** Port of the gRPC API on this machine. */
  grpcPort: number;
  /** An upload of a file as it stands. */
  upload(file: Buffer): Promise<Answer>;
  uploadOverGrpc(file: Buffer): Promise<Answer>;
  /** A check of a document; its `id` is null, because nothing is stored. */
  check(file: Buffer): Promise<Answer>;
  /** An import of a VEX document; its `id` is null, because there is no scan to wait for. */
  importVex(file: Buffer): Promise<Answer>;
  /** The body of an upload, for whoever sends it in another way. */
  form(file: Buffer): MultipartBody;
  /** A request as its bytes, one piece after the other, with a pause before each further one. */
  send(
    head: { path: string; headers: Record<string, string> },
    body: readonly Buffer[],
    pauseMs?: number,
  ): Promise<Answer>;
  /** Sends the pieces and closes the connection after so many milliseconds, without reading an answer. */
  leave(
    head: { path: string; headers: Record<string, string> },
    body: readonly Buffer[],
    afterMs: number,
  ): Promise<void>;
}

export interface HostileInput {
  name: string;
  /** In one line, for the table. */
  what: string;
  send(transports: Transports): Promise<Answer[]>;
  /** `status` or `status code` of each answer; several where it depends on who is faster. */
  expected: readonly string[];
  /** Adds what the input needs to the folder of advisories, before the stack starts. */
  prepare?(advisoryFolder: string): void;
  /**
   * Tracked vulnerabilities of the document: every read must give that total in the end, and other uploads
   * beside it may take at most twice as long as before.
   */
  vulnerabilities?: number;
}

/** Same status and code as in `HostileInput.expected`. */
export function outcomeOf({ status, code }: Answer): string {
  return code === null ? status : `${status} ${code}`;
}
