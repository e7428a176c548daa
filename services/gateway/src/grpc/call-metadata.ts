import type { Metadata } from '@grpc/grpc-js';
import { clientAddress } from '../clients/client-address';

/** What a server knows of a call before its message. */
interface Call {
  metadata: Metadata;
  getPeer(): string;
}

/** A metadata entry; one that is sent twice is no usable one. */
export function single(metadata: Metadata, key: string): string | undefined {
  const values = metadata.get(key);
  return values.length === 1 ? String(values[0]) : undefined;
}

/** The other end of a call's connection, without its port; null when the library does not know it. */
export function peerOf(call: Pick<Call, 'getPeer'>): string | null {
  const peer = call.getPeer();
  const port = peer.lastIndexOf(':');
  return port < 0 ? null : peer.slice(0, port).replace(/^\[(.*)\]$/, '$1');
}

/** Where a call comes from, behind so many proxies of our own. */
export function clientOf(call: Call, hops: number): string | null {
  const forwarded = call.metadata.get('x-forwarded-for').join() || undefined;
  return clientAddress({ socket: peerOf(call), forwarded }, hops);
}
