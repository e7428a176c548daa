import type { Metadata } from '@grpc/grpc-js';

/** A metadata entry; one that is sent twice is no usable one. */
export function single(metadata: Metadata, key: string): string | undefined {
  const values = metadata.get(key);
  return values.length === 1 ? String(values[0]) : undefined;
}

/** The address of a peer without its port; null when the library does not know it. */
export function clientOf(peer: string): string | null {
  const port = peer.lastIndexOf(':');
  return port < 0 ? null : peer.slice(0, port);
}
