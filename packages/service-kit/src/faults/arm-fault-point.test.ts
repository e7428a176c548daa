import { commonSettings } from '../settings/common-settings';
import { armFaultPoint } from './arm-fault-point';
import { faultPoints } from './fault-points';

const known = 'handled:scanner-uploads';

function isTaken(text: string): boolean {
  return commonSettings.shape.BOMTRAIL_TEST_CRASH_AT.safeParse(text).success;
}

test('nothing is armed unless the setting names a point', () => {
  expect(commonSettings.shape.BOMTRAIL_TEST_CRASH_AT.parse(undefined)).toBeUndefined();
  expect(armFaultPoint(undefined)).toBeUndefined();
});

test('an armed point crashes when it is passed for the n-th time, and no other one does', () => {
  const crashes: string[] = [];
  const pass = armFaultPoint(`${known}@2`, (point) => crashes.push(point));
  pass?.('handled', 'reconciler-uploads');
  pass?.('published', 'scanner-uploads');
  pass?.('handled', 'scanner-uploads');
  expect(crashes).toEqual([]);
  pass?.('handled', 'scanner-uploads');
  pass?.('handled', 'scanner-uploads');
  expect(crashes).toEqual([known]);
});

test('the setting takes the points of the table and nothing else', () => {
  for (const { name } of faultPoints) expect([name, isTaken(name)]).toEqual([name, true]);
  expect(isTaken(`${known}@12`)).toBe(true);
  for (const wrong of ['handled:nothing', known.toUpperCase(), `${known}@0`, `${known}@x`, '@1'])
    expect([wrong, isTaken(wrong)]).toEqual([wrong, false]);
});

test('no point stands twice in the table of a service', () => {
  const places = faultPoints.map(({ service, name }) => `${service} ${name}`);
  expect(new Set(places).size).toBe(places.length);
});
