import { mongodbUsersScript } from './mongodb-users';
import { natsPermissionsFile } from './nats-permissions';

/** The generated deployment files, by path in the repository. */
export function deployedFiles(): Readonly<Record<string, string>> {
  return {
    'deploy/nats/permissions.conf': natsPermissionsFile(),
    'deploy/mongodb/users.js': mongodbUsersScript(),
  };
}
