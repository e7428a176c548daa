import { BinaryReader } from '@bufbuild/protobuf/wire';
import { ReflectionService } from '@grpc/reflection';
import { descriptors } from './generated/descriptors';

type Package = ConstructorParameters<typeof ReflectionService>[0];

/**
 * Tells clients such as grpcurl what is served here. It takes the descriptors as buf makes them:
 * those of @grpc/proto-loader have map fields that Go clients refuse.
 */
export function reflectionService(): ReflectionService {
  const fileDescriptorProtos = filesIn(Buffer.from(descriptors, 'base64'));
  // Of a package's entries the library reads nothing but this.
  return new ReflectionService({ served: { fileDescriptorProtos } } as unknown as Package);
}

/** The files in a google.protobuf.FileDescriptorSet: its field 1, as often as there are files. */
function filesIn(set: Uint8Array): Buffer[] {
  const reader = new BinaryReader(set);
  const files: Buffer[] = [];
  while (reader.pos < reader.len) {
    reader.tag();
    files.push(Buffer.from(reader.bytes()));
  }
  return files;
}
