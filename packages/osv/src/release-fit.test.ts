import { ecosystemsWithComparer } from '@bomtrail/versioning';
import { isDistribution, MATCHED_ECOSYSTEMS, splitEcosystem } from './ecosystems';
import { suffixFit } from './release-fit';

/** `Debian:12` or `Debian`, against a component's release (null: it names none). */
function fit(advisory: string, component: string | null, version = '1'): string {
  const { base, suffix } = splitEcosystem(advisory);
  return suffixFit(suffix, { ecosystem: base, suffix: component, name: 'a', version });
}

describe('M23: releases of a distribution', () => {
  test('an advisory without a release fits every component', () => {
    expect([fit('Debian', '12'), fit('Debian', null), fit('Debian', 'sid')]).toEqual([
      'yes',
      'yes',
      'yes',
    ]);
  });

  test('one with a release fits that release and says nothing about components without one', () => {
    expect([fit('Debian:12', '12'), fit('Debian:12', '11'), fit('Debian:12', null)]).toEqual([
      'yes',
      'no',
      'unknown',
    ]);
  });

  test.each([
    ['Alpine:v3.18', 'v3.18', 'yes'],
    ['Alpine:v3.18', 'v3.17', 'no'],
    ['Alpaquita:stream', '23', 'no'],
    ['Rocky Linux:9', '9', 'yes'],
    ['openSUSE:Leap 15.5', 'Leap 15.5', 'yes'],
    ['openSUSE:Leap 15.5', 'Tumbleweed', 'no'],
    ['openSUSE:Leap Micro 5.5', 'Leap 15.5', 'no'],
    ['Azure Linux:3', '3', 'yes'],
    ['Debian:who knows', '12', 'unknown'],
  ])('%s and %s: %s', (advisory, component, expected) => {
    expect(fit(advisory, component)).toBe(expected);
  });
});

test('M24: a rolling branch fits its own advisories; all others are unknown', () => {
  expect([fit('Debian:sid', 'sid'), fit('Debian:12', 'sid'), fit('Debian:14', 'testing')]).toEqual([
    'yes',
    'unknown',
    'unknown',
  ]);
  expect(fit('Alpine:v3.18', 'edge')).toBe('unknown');
  expect(fit('Mageia:9', 'cauldron')).toBe('unknown');
});

describe('M25: Ubuntu', () => {
  test.each([
    ['22.04:LTS', '22.04', '1', 'yes'],
    ['22.04', '22.04', '1', 'yes'],
    ['23.10', '23.10', '1', 'yes'],
    ['Pro:22.04:LTS', '22.04', '1', 'yes'],
    ['Pro:18.04:LTS', '22.04', '1', 'no'],
    ['Pro:FIPS:20.04:LTS', '20.04', '1.1.1f-1ubuntu2.18', 'no'],
    ['Pro:FIPS-updates:20.04:LTS', '20.04', '1.1.1f-1ubuntu2.fips.18', 'yes'],
    ['Pro:FIPS-updates:20.04:LTS', '22.04', '1.1.1f-1ubuntu2.fips.18', 'no'],
    ['Pro:Realtime:22.04:LTS', '22.04', '1', 'yes'],
    ['someday', '22.04', '1', 'unknown'],
  ])('Ubuntu:%s and %s (%s): %s', (...[advisory, component, version, expected]) => {
    expect(fit(`Ubuntu:${advisory}`, component, version)).toBe(expected);
  });
});

describe('M26: Red Hat', () => {
  test.each([
    ['enterprise_linux:9::baseos', '9.2', 'yes'],
    ['enterprise_linux:9::appstream', '9', 'yes'],
    ['enterprise_linux:8::baseos', '9.2', 'no'],
    ['enterprise_linux:10.0', '10.1', 'yes'],
    ['rhel_eus:9.2::baseos', '9.2', 'yes'],
    ['rhel_eus:9.2::baseos', '9.4', 'no'],
    ['rhel_aus:8.6::appstream', '8', 'unknown'],
    ['rhel_els:7', '7.9', 'yes'],
    ['rhel_els:7', '8.6', 'no'],
    ['openshift:4.14::el9', '9.2', 'unknown'],
    ['openshift:4.14::el9', '8.6', 'no'],
    ['rhel_software_collections:3::el7', '7.9', 'unknown'],
    ['rhel_software_collections:3::el7', '8', 'no'],
    ['hummingbird:1', '9', 'unknown'],
  ])('Red Hat:%s and %s: %s', (advisory, component, expected) => {
    expect(fit(`Red Hat:${advisory}`, component)).toBe(expected);
  });
});

describe('M27: SUSE', () => {
  test.each([
    ['Linux Enterprise Server 15 SP5', '15.5', 'yes'],
    ['Linux Enterprise Server 15 SP5-LTSS', '15.5', 'yes'],
    ['Linux Enterprise Server for SAP Applications 15 SP4', '15.4', 'yes'],
    ['Linux Enterprise Module for Basesystem 15 SP4', '15.4', 'yes'],
    ['Linux Enterprise Module for Basesystem 15 SP4', '15.5', 'no'],
    ['Linux Enterprise Server 12', '12.0', 'yes'],
    ['Linux Enterprise Server 16.0', '16.0', 'yes'],
    ['Linux Enterprise Server 11 SP4 LTSS EXTREME CORE', '11.4', 'yes'],
    ['Package Hub 15 SP5', '15.5', 'yes'],
    ['Linux Enterprise Module for Web and Scripting 12', '12.5', 'yes'],
    ['Linux Enterprise Module for Web and Scripting 12', '15.5', 'no'],
    ['Linux Enterprise Module for Python 3 15 SP5', '15.5', 'yes'],
    ['Linux Enterprise Module for Python 3 15 SP5', '15.4', 'no'],
    ['Linux Enterprise Micro for Rancher 5.2', 'Micro 5.2', 'yes'],
    ['Linux Micro Extras 6.0', 'Micro 6.0', 'yes'],
    ['Linux Enterprise Micro 5.3', 'Micro 5.3', 'yes'],
    ['Linux Micro 6.0', 'Micro 6.0', 'yes'],
    ['Linux Enterprise Micro 5.3', '15.4', 'no'],
    ['Linux Enterprise Server 15 SP5', 'Micro 5.3', 'no'],
    ['Manager Server 4.3', '15.4', 'unknown'],
    ['Manager Server 4.3', 'Micro 5.3', 'no'],
  ])('SUSE:%s and %s: %s', (advisory, component, expected) => {
    expect(fit(`SUSE:${advisory}`, component)).toBe(expected);
  });
});

describe('M28: openEuler', () => {
  test.each([
    ['22.03-LTS-SP4', '22.03-LTS-SP4', 'yes'],
    ['22.03-LTS-SP4', '22.03-LTS', 'no'],
    ['22.03-LTS', '22.03-LTS-SP4', 'no'],
    ['22.03-LTS-SP4', '22.03', 'unknown'],
    ['22.03-LTS', '22.03', 'unknown'],
    ['22.03-LTS-SP4', '24.03', 'no'],
    ['22.03-LTS-SP4', '24.03-LTS-SP4', 'no'],
    ['innovation', '24.03', 'unknown'],
  ])('openEuler:%s and %s: %s', (advisory, component, expected) => {
    expect(fit(`openEuler:${advisory}`, component)).toBe(expected);
  });
});

test('every matched ecosystem has a version order', () => {
  const ordered = ecosystemsWithComparer();
  expect(MATCHED_ECOSYSTEMS.filter((name) => !ordered.includes(name))).toEqual([]);
  expect(MATCHED_ECOSYSTEMS.filter(isDistribution)).toHaveLength(19);
});
