import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot, SERVICE_NAMES, withTemporaryFolder } from '@bomtrail/embedded';
import { parse } from 'yaml';
import { linesOf, run } from '../tools/run';

/** The checked fields of a compose service. */
interface ComposeService {
  image?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string | number;
  privileged?: boolean;
  depends_on?: Record<string, { condition: string }>;
}

/** The compose file as parsed by Compose. */
export interface Project {
  services: Record<string, ComposeService>;
}

/** Required settings: `${NAME:?what to do}`. */
const required = /\$\{[A-Z_]+:\?[^}]*\}/g;

/** Parses docker-compose.yml with Compose. @throws Error with its message */
export async function readCompose(reader: string): Promise<Project> {
  return withTemporaryFolder('compose', async (folder) => {
    const file = path.join(folder, 'docker-compose.yml');
    const text = await readFile(path.join(repositoryRoot(), 'docker-compose.yml'), 'utf8');
    await writeFile(file, text.replaceAll(required, 'given'));
    const ended = await run(reader, [file], { cwd: folder });
    if (ended.code !== 0) throw new Error(linesOf(ended.stderr)[0] ?? 'no reason was given');
    return parse(ended.stdout) as Project;
  });
}

/** Checks privileges of the services, pinned images, and health-based start order. */
export function composeErrors({ services }: Project): string[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const ours = SERVICE_NAMES.some((one) => one === name);
    const errors = [
      service.privileged && 'is privileged',
      !/:[^:/]+$/.test(service.image ?? '') && `has an image without a tag: ${service.image}`,
      /:latest$/.test(service.image ?? '') && 'follows the latest image',
      ours && service.read_only !== true && 'may write to its image',
      !service.cap_drop?.includes('ALL') && 'keeps capabilities',
      !service.security_opt?.includes('no-new-privileges:true') && 'may gain privileges',
      !service.mem_limit && 'has no limit of memory',
      ours &&
        ['mongo', 'nats'].some(
          (one) => service.depends_on?.[one]?.condition !== 'service_healthy',
        ) &&
        'does not wait for its servers',
    ];
    return errors.filter((error) => typeof error === 'string').map((error) => `${name}: ${error}`);
  });
}
