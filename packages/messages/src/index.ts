export * from './areas';
export * from './define';
export * from './errors';
export * from './streams';
export * from './nats-permissions';
export * from './request-id';
export * from './rights';
