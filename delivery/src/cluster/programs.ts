import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '@bomtrail/embedded';

/** The programs of a cluster whose nodes are simulated by kwok. */
export const programNames = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
  'helm',
] as const;
/** Both programs of KEDA, without which its rule is applied over the API. */
export const kedaNames = ['keda', 'keda-adapter'] as const;
export type KedaPrograms = Readonly<Record<(typeof kedaNames)[number], string>>;
export type Programs = Readonly<Record<(typeof programNames)[number], string>>;

/**
 * Finds the programs.
 *
 * @param folder searched before `PATH`; null: only `PATH`
 * @throws OperatorError that names all missing ones
 */
export function findPrograms(folder: string | null): Programs {
  const { found, missing } = find(programNames, folder);
  if (missing.length > 0)
    throw new OperatorError(
      `Programs are missing: ${missing.join(', ')}. Install them, or give their folder with --programs; delivery/README.md says how they are built.`,
    );
  return found as Programs;
}

/** Finds the programs of KEDA likewise; null if one is missing. */
export function findKeda(folder: string | null): KedaPrograms | null {
  const { found, missing } = find(kedaNames, folder);
  return missing.length > 0 ? null : (found as KedaPrograms);
}

function find(
  names: readonly string[],
  folder: string | null,
): { found: Record<string, string>; missing: string[] } {
  const searched = [...(folder === null ? [] : [folder]), ...(process.env.PATH ?? '').split(':')];
  const files = names.map(
    (name) => [name, searched.map((one) => path.join(one, name)).find(isProgram)] as const,
  );
  return {
    found: Object.fromEntries(files.flatMap(([name, file]) => (file ? [[name, file]] : []))),
    missing: files.flatMap(([name, file]) => (file === undefined ? [name] : [])),
  };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
