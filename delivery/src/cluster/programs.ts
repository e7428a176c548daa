import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '@bomtrail/embedded';

/** The programs of a cluster whose nodes are played by kwok. */
export const programNames = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
  'helm',
] as const;
export type Programs = Readonly<Record<(typeof programNames)[number], string>>;

/**
 * Finds the programs.
 *
 * @param folder searched before `PATH`; null: only `PATH`
 * @throws OperatorError that names all missing ones
 */
export function findPrograms(folder: string | null): Programs {
  const searched = [...(folder === null ? [] : [folder]), ...(process.env.PATH ?? '').split(':')];
  const found = programNames.map((name) => {
    const file = searched.map((one) => path.join(one, name)).find(isProgram);
    return [name, file] as const;
  });
  const missing = found.flatMap(([name, file]) => (file === undefined ? [name] : []));
  if (missing.length > 0)
    throw new OperatorError(
      `Programs are missing: ${missing.join(', ')}. Install them, or give their folder with --programs; delivery/README.md says how they are built.`,
    );
  return Object.fromEntries(found) as Programs;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
