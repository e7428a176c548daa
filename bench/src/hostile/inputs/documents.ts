import { randomBytes } from 'node:crypto';
import type { HostileInput } from '../hostile-input';

export const accepted = ['201'];
export const malformed = ['400 malformed_json'];
export const invalid = ['400 invalid_sbom'];
export const tooLarge = ['413 payload_too_large'];

/** A CycloneDX document as text, with what is put behind its head. */
export function cycloneDx(rest = '"components":[]'): string {
  return `{"bomFormat":"CycloneDX","specVersion":"1.5","version":1,${rest}}`;
}

export function withComponents(components: readonly unknown[], rest = ''): Buffer {
  return Buffer.from(cycloneDx(`"components":${JSON.stringify(components)}${rest}`));
}

/** An npm package; nothing is known about it. */
export function npm(name: string, fields: Record<string, unknown> = {}) {
  const purl = `pkg:npm/${name}@1.0.0`;
  return { type: 'library', name, version: '1.0.0', purl, ...fields };
}

/** So many components in about so many bytes, with text that does not pack well. */
export function large(components: number, bytes: number): Buffer {
  const filling = Math.max(0, Math.floor(((bytes / components - 120) * 3) / 4));
  return withComponents(
    Array.from({ length: components }, (_, n) =>
      npm(`package-${n}`, { description: randomBytes(filling).toString('base64') }),
    ),
  );
}

/** One document that is uploaded once over REST. */
export function document(
  name: string,
  what: string,
  one: { file: () => Buffer; expected: readonly string[] },
): HostileInput {
  const { file, expected } = one;
  return { name, what, expected, send: async (transports) => [await transports.upload(file())] };
}

/** The same over gRPC. */
export function overGrpc(input: string, file: () => Buffer, expected: string): HostileInput {
  return {
    name: `${input}-grpc`,
    what: `the same over gRPC`,
    expected: [expected],
    send: async (transports) => [await transports.uploadOverGrpc(file())],
  };
}
