/** The build that runs this program; undefined where it is unknown. */
export interface Build {
  commit?: string | undefined;
  build_url?: string | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

const commits = [
  'BOMTRAIL_COMMIT',
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'BUILD_SOURCEVERSION',
  'GIT_COMMIT',
  'BITBUCKET_COMMIT',
  'CIRCLE_SHA1',
];
const buildUrls = ['BOMTRAIL_BUILD_URL', 'CI_JOB_URL', 'BUILD_URL', 'CIRCLE_BUILD_URL'];

/**
 * The build from flags, else from the variables that CI systems set: GitHub, GitLab, Azure Pipelines, Jenkins,
 * Bitbucket, CircleCI. A variable that the server would refuse is left out; a flag is not.
 */
export function buildOf(flags: Build, env: Env): Build {
  return {
    commit: flags.commit ?? first(commits, env, (text) => [...text].length <= 255),
    build_url: flags.build_url ?? first(buildUrls, env, isUrl) ?? githubRun(env),
  };
}

function first(
  names: readonly string[],
  env: Env,
  isValid: (text: string) => boolean,
): string | undefined {
  return names.map((name) => env[name]?.trim()).find((text) => text && isValid(text));
}

function isUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text) || text.length > 2048) return false;
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return !username && !password;
}

function githubRun(env: Env): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const url = `${server}/${repository}/actions/runs/${run}`;
  return server && repository && run && isUrl(url) ? url : undefined;
}
