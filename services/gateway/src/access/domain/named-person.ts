/** A person, as the identity provider names them. */
export interface NamedPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
}
