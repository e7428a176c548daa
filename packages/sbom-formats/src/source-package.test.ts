import { sourceOfInfo, sourceOfProperties } from './source-package';

describe('the source package that a document names beside the purl', () => {
  test.each([
    ['built package from: glibc 2.31-13+deb11u5', 'glibc@2.31-13+deb11u5'],
    ['built package from: libxxf86vm 1:1.1.4-1build1', 'libxxf86vm@1:1.1.4-1build1'],
    ['built package from: busybox', 'busybox'],
    ['acquired package info from DPKG DB: /var/lib/dpkg/status', null],
    ['built package from: a b c', null],
    ['', null],
    [undefined, null],
    [7, null],
  ])('sourceInfo %j gives %j', (sourceInfo, source) => {
    expect(sourceOfInfo(sourceInfo)).toBe(source);
  });

  test.each([
    [
      { SrcName: 'openssl', SrcVersion: '1.1.1n', SrcRelease: '0+deb11u3' },
      'openssl@1.1.1n-0+deb11u3',
    ],
    [
      { SrcName: 'shadow', SrcVersion: '4.8.1', SrcRelease: '1', SrcEpoch: '1' },
      'shadow@1:4.8.1-1',
    ],
    [{ SrcName: 'apt', SrcVersion: '2.2.4', SrcEpoch: '0' }, 'apt@2.2.4'],
    [{ SrcName: 'apt' }, 'apt'],
    [{ SrcVersion: '2.2.4' }, null],
    [{}, null],
  ])('properties %j give %j', (properties, source) => {
    const written = Object.entries(properties).map(([name, value]) => ({
      name: `aquasecurity:trivy:${name}`,
      value,
    }));
    expect(sourceOfProperties(written)).toBe(source);
  });

  test.each([[undefined], [null], ['x'], [{}], [[null, 1, 'a', { name: 1 }]]])(
    'properties of another shape, %j, give nothing',
    (properties) => {
      expect(sourceOfProperties(properties)).toBeNull();
    },
  );
});
