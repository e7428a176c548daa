import { portSetting } from './ports';

describe('a port setting', () => {
  test('is a number from 0 to 65535, or not set', () => {
    expect(portSetting('HTTP_PORT', '8081')).toBe(8081);
    expect(portSetting('HTTP_PORT', '0')).toBe(0);
    expect(portSetting('HTTP_PORT', '')).toBeUndefined();
    expect(portSetting('HTTP_PORT', undefined)).toBeUndefined();
  });

  test.each(['http', '-1', '65536', '80.5'])('%s is refused by name', (text) => {
    expect(() => portSetting('HTTP_PORT', text)).toThrow(`HTTP_PORT=${text} is no port`);
  });
});
