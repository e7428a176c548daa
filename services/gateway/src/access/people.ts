import type { Caller } from '../api-keys/domain/caller';

/** Authenticates people by what the identity provider says about them. */
export interface People {
  /** The origin of the page, such as `https://bomtrail.example.org`. */
  readonly origin: string;
  /** Whether access tokens are accepted besides sessions. */
  readonly acceptsTokens: boolean;
  /** @throws AppError `invalid_token`; `service_unavailable` if the provider's keys cannot be read */
  ofToken(token: string): Promise<Caller>;
  /** @throws AppError `session_ended`; `service_unavailable` without the database */
  ofSession(token: string): Promise<Caller>;
}
