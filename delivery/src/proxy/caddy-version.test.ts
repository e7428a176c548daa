import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { caddy } from '../tools/pins';

test('the Caddy of the check is that of the compose file', () => {
  const compose = readFileSync(path.join(repositoryRoot(), 'docker-compose.yml'), 'utf8');
  const [, version] = /image: caddy:([\d.]+)-/.exec(compose) ?? [];
  expect(caddy.version).toBe(`v${version}`);
});
