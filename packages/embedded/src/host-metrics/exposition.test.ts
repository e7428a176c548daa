import { exposeHost } from './exposition';
import { gauge } from './family';
import { hostCollectors } from './host-families';

test.each(['linux', 'darwin'] as const)(
  'on %s processors, memory, disk and load are told',
  async (platform) => {
    const { text } = await exposeHost(hostCollectors(platform));
    expect(text).toMatch(/^node_cpu_seconds_total\{cpu="0",mode="idle"\} \d/m);
    expect(text).toMatch(/^node_memory_MemTotal_bytes \d+$/m);
    expect(text).toMatch(
      /^node_filesystem_size_bytes\{device="[^"]+",fstype="[^"]+",mountpoint="\/"\} \d+$/m,
    );
    expect(text).toMatch(/^node_load1 \d/m);
  },
);

test('a collector that fails says so and takes nothing else with it', async () => {
  const { text } = await exposeHost({
    broken: () => Promise.reject(new Error('no such file')),
    sound: async () => [gauge('node_thing', 'A thing.', [{ value: 1 }])],
  });
  expect(text).toContain('node_scrape_collector_success{collector="broken"} 0');
  expect(text).toContain('node_scrape_collector_success{collector="sound"} 1');
  expect(text).toContain('node_thing 1');
});
