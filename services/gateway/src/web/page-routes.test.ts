import { isPageAddress } from './page-routes';

test.each([
  '/',
  '/findings',
  '/projects/web-shop',
  '/sboms/1/2',
  '/vex/1',
  '/decisions',
  '/imports/1',
  '/settings/keys',
  '/search/',
])('%s is an address of the page', (path) => expect(isPageAddress(path)).toBe(true));

test.each(['/api', '/api/v1/projects', '/healthz', '/metrics', '/findingsx', '/nothing', '//', ''])(
  '%s is none',
  (path) => expect(isPageAddress(path)).toBe(false),
);
