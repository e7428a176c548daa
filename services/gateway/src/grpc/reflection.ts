import { loadFileDescriptorSetFromBuffer, loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { protoPath as healthProto } from 'grpc-health-check';
import { descriptors } from './generated/descriptors';

/** Tells clients such as grpcurl what is served here, by the descriptors made from `proto/`. */
export function reflectionService(): ReflectionService {
  const upload = loadFileDescriptorSetFromBuffer(Buffer.from(descriptors, 'base64'));
  return new ReflectionService({ ...loadSync(healthProto), ...upload });
}
