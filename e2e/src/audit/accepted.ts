import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../support/real-data';

/** The file of what is accepted, in the repository. */
export const acceptedFile = path.join(repositoryRoot, 'e2e', 'audit', 'accepted.json');

const schema = z.array(
  z.strictObject({
    /** Any of its ids: CVE, GHSA, … */
    vulnerability: z.string().min(1),
    /** Of npm, with its scope. */
    package: z.string().min(1),
    /** Why it does not concern the product, in a sentence. */
    reason: z.string().min(20, 'say why in a sentence'),
  }),
);

/** A vulnerability of a dependency that does not make the audit fail. */
export type Accepted = z.infer<typeof schema>[number];

/** @throws Error when an entry has no id, package or reason */
export function readAccepted(file: string = acceptedFile): Accepted[] {
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
