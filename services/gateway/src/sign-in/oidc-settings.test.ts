import { oidcErrors } from './oidc-settings';

const issuer = { OIDC_ISSUER: 'https://id.example.org/realms/one' };
const page = { OIDC_CLIENT_ID: 'bomtrail', PUBLIC_URL: 'https://bomtrail.example.org' };

test.each([
  ['nothing', {}],
  ['tokens alone', { ...issuer, OIDC_AUDIENCE: 'bomtrail-api' }],
  ['the page alone', { ...issuer, ...page }],
  ['a provider on this machine', { ...page, OIDC_ISSUER: 'http://127.0.0.1:5556' }],
])('%s is well set', (_what, settings) => {
  expect(oidcErrors(settings)).toEqual([]);
});

test.each([
  ['OIDC_ISSUER', { ...issuer }],
  ['OIDC_ISSUER', { ...page, OIDC_ISSUER: 'http://id.example.org' }],
  ['OIDC_AUDIENCE', { OIDC_AUDIENCE: 'x' }],
  ['OIDC_CLIENT_ID', page],
  ['OIDC_CLIENT_ID', { ...issuer, OIDC_CLIENT_ID: 'bomtrail' }],
  ['OIDC_CLIENT_SECRET', { ...issuer, OIDC_AUDIENCE: 'x', OIDC_CLIENT_SECRET: 's' }],
])('%s is wrong in %j', (setting, settings) => {
  expect(oidcErrors(settings).map((error) => error.setting)).toEqual([setting]);
});
