import { isMajorStep, isPrerelease } from './version-steps';

test.each([
  ['npm', '1.2.3', '1.9.0', false],
  ['npm', '1.2.3', '2.0.0', true],
  ['npm', '0.2.3', '0.2.9', false],
  ['npm', '0.2.3', '0.3.0', true],
  ['crates.io', '0.9.0', '1.0.0', true],
  ['PyPI', '0.2.3', '0.3.0', false],
  ['PyPI', '2023.7.22', '2024.1.1', true],
  ['PyPI', '1.0', '1!1.0', true],
  ['Go', 'v0.0.0-20211202192323-5770296d904e', '0.17.0', false],
  ['Go', '1.21rc2', '1.21.1', false],
  ['Maven', '5.3.1.RELEASE', '5.3.27', false],
  ['Maven', '5.3.1', '6.0.0', true],
  ['Maven', '01.2', '1.3', false],
  ['Debian', '1:1.2.3-1', '2:9.0-1', false],
])('RM4 %s: the step from %s to %s is major: %s', (...given) => {
  const [ecosystem, from, to, isMajor] = given;
  expect(isMajorStep(ecosystem, from, to)).toBe(isMajor);
});

test.each([
  ['npm', '1.0.0-rc.1', true],
  ['npm', '1.0.0', false],
  ['npm', '1.0.0+build', false],
  ['PyPI', '4.0rc1', true],
  ['PyPI', '4.0.post1', false],
  ['Maven', '2.0-M1', true],
  ['Maven', '31.1-jre', false],
  ['Maven', '4.1.0.Final', false],
  ['RubyGems', '1.0.0.pre1', true],
  ['Go', '0.0.0-20211202192323-5770296d904e', false],
  ['Go', '1.21.0-rc.2', true],
  ['Debian', '1.0~rc1-1', false],
  ['npm', 'latest', false],
])('RM1 %s: %s is a prerelease: %s', (ecosystem, version, expected) => {
  expect(isPrerelease(ecosystem, version)).toBe(expected);
});
