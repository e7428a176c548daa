import type { Installed } from './install-schemathesis';

/** The environment in which Python finds the installed packages, and none of the user's own. */
export function pythonEnvironment({ packages }: Installed): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PYTHONPATH: packages,
    PYTHONNOUSERSITE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
