import type { DecisionActor, Provenance } from '@bomtrail/messages';
import type { Caller } from '../api-keys/domain/caller';

/**
 * A caller, as decisions and imports name it. A person has no key: the id is theirs, and the prefix
 * is empty. A person's own key names both.
 */
export function actorOf({ id, identity }: Caller): DecisionActor {
  if (identity.kind === 'key') {
    const { prefix, name, owner } = identity;
    const person = owner && { subject: owner.subject, name: owner.name, email: owner.email };
    return { key_id: id, key_prefix: prefix, name, ...(person && { person }) };
  }
  const { subject, name, email } = identity;
  return { key_id: id, key_prefix: '', name, person: { subject, name, email } };
}

/** The same, as the record of an upload names it. */
export function uploaderOf(caller: Caller): Provenance['uploaded_by'] {
  const { name, ...actor } = actorOf(caller);
  return { ...actor, key_name: name };
}

/** A caller as one text: the prefix of a key; the address of a person, else their id at the provider. */
export function actorText({
  key_prefix,
  person,
}: Pick<DecisionActor, 'key_prefix' | 'person'>): string {
  return person ? (person.email ?? person.subject) : key_prefix;
}
