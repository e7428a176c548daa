import { SERVICE_NAMES } from '@bomtrail/embedded';
import { composeErrors, type Project } from './compose';

const waits = { condition: 'service_healthy' };
const service = {
  image: 'bomtrail-it:1.0.0',
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  mem_limit: '1g',
  depends_on: { mongo: waits, nats: waits },
};
const project: Project = {
  services: Object.fromEntries(SERVICE_NAMES.map((name) => [name, service])),
};

test('a file with least rights has no mistakes', () => {
  expect(composeErrors(project)).toEqual([]);
});

test.each<[string, object]>([
  ['may write to its image', { read_only: false }],
  ['keeps capabilities', { cap_drop: undefined }],
  ['may gain privileges', { security_opt: [] }],
  ['has no limit of memory', { mem_limit: undefined }],
  ['is privileged', { privileged: true }],
  ['follows the latest image', { image: 'bomtrail-it:latest' }],
  ['image without a tag', { image: 'bomtrail-it' }],
  ['does not wait', { depends_on: { mongo: waits } }],
])('what a service may too much is seen: %s', (error, change) => {
  const errors = composeErrors({ services: { ingest: { ...service, ...change } } });
  expect(errors).toEqual([expect.stringContaining(error)]);
});
