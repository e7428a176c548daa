import { buildOf } from './build-of';

const github = {
  GITHUB_SHA: 'a1',
  GITHUB_SERVER_URL: 'https://github.example.org',
  GITHUB_REPOSITORY: 'shop/web',
  GITHUB_RUN_ID: '7',
};

test.each([
  ['nothing where there is no CI', {}, {}, {}],
  [
    'GitHub',
    {},
    github,
    { commit: 'a1', build_url: 'https://github.example.org/shop/web/actions/runs/7' },
  ],
  [
    'GitLab',
    {},
    { CI_COMMIT_SHA: 'b2', CI_JOB_URL: 'https://gitlab.example.org/-/jobs/1' },
    { commit: 'b2', build_url: 'https://gitlab.example.org/-/jobs/1' },
  ],
  [
    'flags before all',
    { commit: 'c3', build_url: 'https://ci/1' },
    github,
    { commit: 'c3', build_url: 'https://ci/1' },
  ],
  [
    'a setting before the CI',
    {},
    { ...github, BOMTRAIL_COMMIT: 'd4' },
    { commit: 'd4', build_url: 'https://github.example.org/shop/web/actions/runs/7' },
  ],
  [
    'nothing that the server would refuse',
    {},
    { BUILD_URL: 'https://u:p@ci/1', GIT_COMMIT: 'x'.repeat(256) },
    {},
  ],
])('the build is that of %s', (...[, flags, env, expected]) => {
  expect(buildOf(flags, env)).toEqual({ commit: undefined, build_url: undefined, ...expected });
});
