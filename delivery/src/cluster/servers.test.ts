import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { serviceNames } from '@bomtrail/messages';
import { parse } from 'yaml';

const text = (file: string): string =>
  readFileSync(path.join(repositoryRoot(), 'deploy', file), 'utf8');

test('the values for the chart of NATS give it every password that permissions.conf asks for', () => {
  const values = parse(text('nats/helm-values.yaml')) as {
    container: { env: Record<string, { valueFrom: { secretKeyRef: { key: string } } }> };
  };
  const asked = [...text('nats/permissions.conf').matchAll(/\$(NATS_\w+)/g)].map(
    ([, name]) => name,
  );
  const { env } = values.container;
  expect(Object.keys(env).sort()).toEqual([...new Set(asked)].sort());
  for (const [name, { valueFrom }] of Object.entries(env))
    expect(valueFrom.secretKeyRef.key).toBe(name);
});

test("the operator's users are those of users.js, each for its own database", () => {
  const { spec } = parse(text('mongodb/community-operator.yaml')) as {
    spec: { users: { name: string; roles: { name: string; db: string }[] }[] };
  };
  const script = text('mongodb/users.js');
  expect(spec.users.map(({ name }) => name)).toEqual(
    serviceNames.map((name) => `bomtrail-${name}`),
  );
  for (const { name, roles } of spec.users) {
    const service = name.slice('bomtrail-'.length);
    const hasExtra = new RegExp(`\\["${service}",\\{`).test(script);
    expect(roles).toEqual([
      { name: 'readWrite', db: `bomtrail_${service}` },
      ...(hasExtra ? [{ name, db: `bomtrail_${service}` }] : []),
    ]);
  }
});
