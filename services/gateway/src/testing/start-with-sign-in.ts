import { MongoClient, type Collection } from 'mongodb';
import type { SessionDocument, SignInDocument } from '../sign-in/store/sessions-store';
import { fakeServices, type FakeServices } from './fake-services';
import { startGateway, type TestGateway } from './start-gateway';
import { pageOrigin, startOidcProvider, type TestProvider } from './start-oidc-provider';

/** A gateway where people sign in at a real provider. */
export interface SignInGateway {
  provider: TestProvider;
  gateway: TestGateway;
  fakes: FakeServices;
  /** The stored sessions. */
  sessions: Collection<SessionDocument>;
  /** The sign-ins that have begun. */
  signIns: Collection<SignInDocument>;
  stop(): Promise<void>;
}

/**
 * @param roles `OIDC_ROLES`
 * @param env settings of the gateway beside those of sign-in
 */
export async function startWithSignIn(
  roles: readonly object[],
  env: Record<string, string> = {},
): Promise<SignInGateway> {
  const provider = await startOidcProvider();
  const gateway = await startGateway({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'bomtrail',
    OIDC_CLIENT_SECRET: 'page-secret',
    PUBLIC_URL: pageOrigin,
    OIDC_ROLES: JSON.stringify(roles),
    ...env,
  });
  const mongo = await new MongoClient(gateway.servers.mongoUri).connect();
  const db = mongo.db(`${gateway.servers.prefix}gateway`);
  return {
    provider,
    gateway,
    fakes: fakeServices(gateway.bus),
    sessions: db.collection('sessions'),
    signIns: db.collection('sign_ins'),
    async stop() {
      await mongo.close();
      // First: nothing else ends its process if the gateway has a complaint.
      await provider.stop();
      await gateway.stop();
    },
  };
}
