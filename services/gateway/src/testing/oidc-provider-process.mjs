/**
 * A real OpenID Connect provider as a process of its own. Settings as JSON in the first argument: port,
 * keys (a private JWKS), redirectUri, audience, people (by login: claims).
 */
import Provider from 'oidc-provider';

const { port, keys, redirectUri, audience, people } = JSON.parse(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  jwks: { keys },
  clients: [
    {
      client_id: 'bomtrail',
      client_secret: 'page-secret',
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [new URL('/', redirectUri).href],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    {
      client_id: 'robot',
      client_secret: 'robot-secret',
      redirect_uris: [],
      response_types: [],
      grant_types: ['client_credentials'],
    },
  ],
  claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
  findAccount: (_context, id) =>
    people[id] && { accountId: id, claims: async () => ({ sub: id, ...people[id] }) },
  // Whoever signs in has consented.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    });
    grant.addOIDCScope('openid profile email offline_access');
    await grant.save();
    return grant;
  },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  extraTokenClaims: async () => ({ groups: ['robots'] }),
  features: {
    clientCredentials: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: async () => ({
        audience,
        scope: '',
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: keys[0].alg } },
      }),
    },
  },
  cookies: { keys: ['a key of the test'] },
});

const server = provider.listen(port, '127.0.0.1', () => process.send?.('ready'));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
process.on('disconnect', () => process.exit(0));
