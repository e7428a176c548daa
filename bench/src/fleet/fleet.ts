/** Services that exist: each has an SBOM with the packages of the base document, and its findings. */
export interface Fleet {
  projectId: string;
  services: readonly string[];
  /** A version that none of them has. */
  nextVersion(): string;
  /** The ids of the SBOMs that hold the base document as it is, the latest ones of their services; made when missing. */
  withBaseDocument(): Promise<{ version: string; ids: readonly string[] }>;
}
