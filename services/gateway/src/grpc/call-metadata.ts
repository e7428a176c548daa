import type { Metadata } from '@grpc/grpc-js';
import { clientAddress } from '../shared/client-address';

/** A call before its message. */
interface Call {
  metadata: Metadata;
  getPeer(): string;
}

/** A metadata entry; repeated entries are ignored. */
export function single(metadata: Metadata, key: string): string | undefined {
  const values = metadata.get(key);
  return values.length === 1 ? String(values[0]) : undefined;
}

/** Peer address of a call without its port; null if unknown. */
export function peerOf(call: Pick<Call, 'getPeer'>): string | null {
  const peer = call.getPeer();
  const port = peer.lastIndexOf(':');
  return port < 0 ? null : peer.slice(0, port).replace(/^\[(.*)\]$/, '$1');
}

/** Client address of a call behind this number of trusted proxies. */
export function clientOf(call: Call, hops: number): string | null {
  const forwarded = call.metadata.get('x-forwarded-for').join() || undefined;
  return clientAddress({ socket: peerOf(call), forwarded }, hops);
}
