import { pingOf } from '@bomtrail/messages';
import { connectTestBus, serviceSettings, startTestServers } from '@bomtrail/testkit';
import { startService } from './start-service';
import { commonSettings } from '../settings/common-settings';

test('a process that stops takes no requests, however long the run of a sweep goes on', async () => {
  const servers = await startTestServers();
  const bus = await connectTestBus(servers.natsUrl);
  let end: () => void = () => {};
  const run = () => new Promise<number>((resolve) => (end = () => resolve(0)));
  const sweeps = [{ name: 'long', everySeconds: 60, run }];
  const service = await startService(
    { name: 'ingest', settings: commonSettings, compose: () => ({ sweeps }) },
    commonSettings.parse(serviceSettings(servers)),
  );
  const ping = () =>
    bus.request(pingOf('ingest'), {}).then(
      () => 'answered',
      (error: { code?: string }) => error.code,
    );
  expect(await ping()).toBe('answered');
  const stopped = service.stop();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const late = await ping();
  end();
  await stopped;
  await bus.close();
  await servers.stop();
  expect(late).toBe('service_unavailable');
});
