import fc from 'fast-check';
import { downloadName } from './download-name';

const sbom = { id: 'id', format: 'cyclonedx', version: '1.4.0', service_name: 'Checkout' };

test.each([
  [{}, 'Checkout-1.4.0.cdx.json'],
  [{ format: 'spdx' }, 'Checkout-1.4.0.spdx.json'],
  [{ service_name: null }, 'sbom-1.4.0.cdx.json'],
  [{ version: null }, 'Checkout-id.cdx.json'],
  [{ service_name: '../../etc/passwd' }, 'etc_passwd-1.4.0.cdx.json'],
  [{ service_name: 'Käse', version: '1"; x' }, 'Kase-1_x.cdx.json'],
  [{ service_name: '日本', version: '…' }, 'sbom-id.cdx.json'],
])('%j is named %s', (fields, name) => {
  expect(downloadName({ ...sbom, ...fields })).toBe(name);
});

test('a name is safe in a header and in a folder, whatever the service is called', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (service, version) => {
        const name = downloadName({ ...sbom, service_name: service, version });
        expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,175}\.cdx\.json$/);
      },
    ),
  );
});
