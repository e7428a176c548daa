import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';

/** A file or an image, by its hash. */
export interface Subject {
  readonly name: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface Build {
  readonly commit: string;
  /** Where the sources are; null: known only as a commit. */
  readonly repository: string | null;
  /** Who built it, as an address. */
  readonly builder: string;
  readonly nodeImage: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** Provenance of a release: an in-toto statement with a predicate of SLSA 1. */
export function provenance(subjects: readonly Subject[], build: Build): object {
  const source = build.repository === null ? 'git' : `git+${build.repository}`;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:bomtrail:npm-run-release',
        externalParameters: { source, ref: build.commit },
        resolvedDependencies: [
          { uri: source, digest: { gitCommit: build.commit } },
          {
            uri: 'package-lock.json',
            digest: { sha256: sha256Of(path.join(repositoryRoot(), 'package-lock.json')) },
          },
          { uri: `docker-image:${build.nodeImage}` },
        ],
      },
      runDetails: {
        builder: { id: build.builder },
        metadata: { startedOn: build.startedAt, finishedOn: build.finishedAt },
      },
    },
  };
}

/** SHA-256 of a file, hexadecimal. */
export function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
