import type { CommonSettings } from './common-settings';

type Name = keyof CommonSettings;

const pairs: readonly (readonly [Name, Name])[] = [
  ['MONGODB_USERNAME', 'MONGODB_PASSWORD'],
  ['NATS_USER', 'NATS_PASSWORD'],
  ['NATS_TLS_CERT', 'NATS_TLS_KEY'],
];

/** Each alone says who we are. */
const identities: readonly Name[] = ['NATS_USER', 'NATS_NKEY', 'NATS_CREDS'];

/**
 * What stops the start of a service, one line for each mistake: half a pair, or two ways to sign in. With
 * less than was meant it would connect as somebody else, or as nobody.
 */
export function connectionErrors(settings: Partial<CommonSettings>): string[] {
  const halves = pairs
    .flatMap(([one, other]) => [[one, other] as const, [other, one] as const])
    .filter(([given, missing]) => settings[given] && !settings[missing])
    .map(([given, missing]) => `${given}: needs ${missing} beside it.`);
  const [first, ...more] = identities.filter((name) => settings[name]);
  return [...halves, ...more.map((name) => `${name}: is given beside ${first}; drop one.`)];
}
