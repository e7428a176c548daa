export { OperatorError } from './operator-error';
export { repositoryRoot, serverCacheDir } from './repository';
export { freePort, freePorts } from './servers/free-port';
export { installIntoCache } from './servers/install-into-cache';
export {
  locateServer,
  locateServers,
  type LocateOptions,
  type ServerPaths,
} from './servers/locate';
export { runTool } from './servers/run-tool';
export type { RunningServer } from './servers/running-server';
export { startMongod, type MongodOptions } from './servers/start-mongod';
export { startNats, type NatsOptions } from './servers/start-nats';
export { onFreePort, ServerStartError } from './servers/start-failure';
export { startStack, type Stack, type StackOptions, type StackProcess } from './stack/start-stack';
export { builtServices, SERVICE_NAMES, type ServiceCommand } from './stack/services';
