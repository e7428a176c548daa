import { expect, test } from '@jest/globals';
import { readSettings } from '@bomtrail/settings';
import { settings } from './config';

const needed = { MONGODB_URI: 'mongodb://x', NATS_URL: 'nats://x' };
const read = (name: string, value: string) => () =>
  readSettings(settings, { ...needed, [name]: value });
const sources = ['ADVISORY', 'EPSS', 'KEV'].map((feed) => `BOMTRAIL_${feed}_SOURCE`);
const wrong = ['htps://x', 's3://bucket/osv', 'https://me:secret@no host/', 'https:/x'];

test.each(sources)('%s is a path or an address that can be read', (name) => {
  for (const value of wrong)
    expect(read(name, value)).toThrow(
      `${name}: must be a path or a valid URL with https:// or http://.`,
    );
  for (const value of ['', 'off', '/srv/osv', 'osv.zip', 'C:\\osv', 'HTTPS://me:secret@host/x?y'])
    expect(read(name, value)()).toMatchObject({ [name]: value });
});

test('each of the VEX sources is one, and CVE records are files', () => {
  for (const value of wrong)
    expect(read('BOMTRAIL_VEX_SOURCES', `/vex,${value}`)).toThrow(
      'BOMTRAIL_VEX_SOURCES: has an address that is not a valid URL.',
    );
  expect(read('BOMTRAIL_CVE_SOURCE', 'https://host/main.zip')).toThrow(
    'BOMTRAIL_CVE_SOURCE: must be a path.',
  );
});
