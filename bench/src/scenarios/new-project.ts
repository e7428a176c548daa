import { randomUUID } from 'node:crypto';
import type { Api } from '../load/api';

/** A project of its own for a run, under a name that was never used. Gives its id. */
export function newProject(api: Api, name: string): Promise<string> {
  return api.createProject(`${name} ${randomUUID()}`);
}
