export { testBinaries } from './binaries';
export { eventually } from './eventually';
export { readJsonLines } from './read-json-lines';
export { startSharedMongod } from './shared-mongod';
export { startTestServers, type TestServers, type TestServersOptions } from './test-servers';
export { connectTestBus, type TestBus } from './test-bus';
export { uniquePrefix } from './unique-prefix';
