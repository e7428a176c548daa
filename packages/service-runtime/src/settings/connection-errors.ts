import { databaseFileError, databaseUriError } from '@bomtrail/mongo';
import { pemErrors, SettingsError } from '@bomtrail/settings';
import type { CommonSettings } from './common-settings';

type Name = keyof CommonSettings;

const pairs: readonly (readonly [Name, Name])[] = [
  ['MONGODB_USERNAME', 'MONGODB_PASSWORD'],
  ['NATS_USER', 'NATS_PASSWORD'],
  ['NATS_TLS_CERT', 'NATS_TLS_KEY'],
];

/** Alternative credentials for NATS. */
const identities: readonly Name[] = ['NATS_USER', 'NATS_NKEY', 'NATS_CREDS'];

const natsTls = { certificate: 'NATS_TLS_CERT', key: 'NATS_TLS_KEY', ca: 'NATS_TLS_CA' } as const;

/**
 * Returns one message per error in the credentials: half a pair, two ways to authenticate, or no PEM. The service would
 * otherwise connect as another user, anonymously, or never. And one if the driver rejects the URI of MongoDB.
 */
export function connectionErrors(settings: Partial<CommonSettings>): string[] {
  const halves = pairs
    .flatMap(([one, other]) => [[one, other] as const, [other, one] as const])
    .filter(([given, missing]) => settings[given] && !settings[missing])
    .map(([given, missing]) => `${given}: needs ${missing}.`);
  const [first, ...more] = identities.filter((name) => settings[name]);
  const { MONGODB_URI, MONGODB_USERNAME, MONGODB_PASSWORD } = settings;
  const uriError =
    MONGODB_URI && databaseUriError({ MONGODB_URI, MONGODB_USERNAME, MONGODB_PASSWORD });
  return [
    ...(uriError ? [`MONGODB_URI: ${uriError}.`] : []),
    ...halves,
    ...more.map((name) => `${name}: is given together with ${first}; remove one.`),
    ...pemErrors(settings, natsTls).map(({ setting, message }) => `${setting}: ${message}.`),
  ];
}

/** @throws SettingsError with all of `connectionErrors`, or a file that cannot be read on this machine */
export function checkConnections(settings: Partial<CommonSettings>): void {
  const errors = connectionErrors(settings);
  if (errors.length > 0) throw new SettingsError(errors);
  const { MONGODB_URI, MONGODB_USERNAME, MONGODB_PASSWORD } = settings;
  const fileError =
    MONGODB_URI && databaseFileError({ MONGODB_URI, MONGODB_USERNAME, MONGODB_PASSWORD });
  if (fileError) throw new SettingsError([`MONGODB_URI: ${fileError}.`]);
}
