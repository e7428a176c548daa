import { serviceNames } from './define';

/** Privileges beyond reading and writing the service's own database. */
const extra: Partial<Record<(typeof serviceNames)[number], object>> = {
  // A changed AUDIT_RETENTION_DAYS alters the TTL index.
  gateway: { collection: 'audit_entries', actions: ['collMod'] },
};

/**
 * The mongosh script that creates a user for each service, restricted to its own database. A second
 * run updates passwords and roles.
 */
export function mongodbUsersScript(): string {
  const lines = serviceNames.map((name) => `  ${JSON.stringify([name, extra[name] ?? null])},`);
  return `// Generated from packages/messages: npm run gen. Do not edit.
// mongosh "<address of the primary, with an administrator>" deploy/mongodb/users.js
// The passwords come from the environment: MONGODB_<SERVICE>_PASSWORD. docs/security.md says more.
const prefix = process.env.MONGODB_DATABASE_PREFIX || 'bomtrail_';
const admin = db.getSiblingDB('admin');
const known = (answer, kind, name) => answer[kind].some((one) => (one.user || one.role) === name);

const services = [
${lines.join('\n')}
];

for (const [service, extra] of services) {
  const password = process.env[\`MONGODB_\${service.toUpperCase()}_PASSWORD\`];
  if (!password) throw new Error(\`MONGODB_\${service.toUpperCase()}_PASSWORD is not set.\`);
  const name = \`bomtrail-\${service}\`;
  const database = prefix + service;
  const roles = [{ role: 'readWrite', db: database }];
  if (extra) {
    const own = db.getSiblingDB(database);
    const resource = { db: database, collection: extra.collection };
    const isRole = known(own.runCommand({ rolesInfo: name }), 'roles', name);
    own.runCommand({
      [isRole ? 'updateRole' : 'createRole']: name,
      privileges: [{ resource, actions: extra.actions }],
      roles: [],
    });
    roles.push({ role: name, db: database });
  }
  const isUser = known(admin.runCommand({ usersInfo: name }), 'users', name);
  admin.runCommand({ [isUser ? 'updateUser' : 'createUser']: name, pwd: password, roles });
}
`;
}
