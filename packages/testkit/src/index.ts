export { eventually } from './eventually';
export { readJsonLines } from './read-json-lines';
export { sequence, shuffled, type Draw } from './sequence';
export { serviceSettings } from './service-settings';
export { connectTestBus, type TestBus } from './test-bus';
export { startTestServers, type TestServers, type TestServersOptions } from './test-servers';
export { uniquePrefix } from './unique-prefix';
