import { planFront } from './front';

const hostsOf = async (env: NodeJS.ProcessEnv): Promise<(string | undefined)[]> => {
  const front = await planFront({ httpPort: 8080 }, env);
  return [front.env(9090)['HTTP_HOST'], front.gatewayEnv['GRPC_HOST']];
};

test('an embedded run is reached from this machine only, unless told otherwise', async () => {
  expect(await hostsOf({})).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(await hostsOf({ HTTP_HOST: '0.0.0.0' })).toEqual(['0.0.0.0', '0.0.0.0']);
  expect(await hostsOf({ GRPC_HOST: '10.0.0.1' })).toEqual(['127.0.0.1', '10.0.0.1']);
});

test('REST reaches the gateway through the proxy only', async () => {
  const { gatewayEnv } = await planFront({ httpPort: 8080 }, { HTTP_HOST: '0.0.0.0' });
  expect(gatewayEnv['HTTP_HOST']).toBe('127.0.0.1');
});
