import { faultSettings } from './fault-settings';
import { armFaultPoints } from './arm-fault-point';
import { faultPoints } from './fault-points';

const known = 'handled:scanner-uploads';

function isTaken(text: string): boolean {
  return faultSettings.shape.BOMTRAIL_TEST_CRASH_AT.safeParse(text).success;
}

function areTaken(text: string): boolean {
  return faultSettings.shape.BOMTRAIL_TEST_HOLD_AT.safeParse(text).success;
}

test('nothing is armed unless the setting names a point', () => {
  expect(faultSettings.shape.BOMTRAIL_TEST_CRASH_AT.parse(undefined)).toBeUndefined();
  expect(armFaultPoints({})).toBeUndefined();
});

test('an armed point crashes when it is reached for the n-th time; other points do not', async () => {
  const crashes: string[] = [];
  const crash = (point: string): void => void crashes.push(point);
  const pass = armFaultPoints({ crashAt: `${known}@2` }, { crash, hold: neverHere });
  await pass?.('handled', 'reconciler-uploads');
  await pass?.('published', 'scanner-uploads');
  await pass?.('handled', 'scanner-uploads');
  expect(crashes).toEqual([]);
  await pass?.('handled', 'scanner-uploads');
  await pass?.('handled', 'scanner-uploads');
  expect(crashes).toEqual([known]);
});

test('work pauses at its point; other work does not', async () => {
  let release: () => void = () => {};
  const hold = () => new Promise<void>((resolve) => (release = resolve));
  const pass = armFaultPoints({ holdAt: known }, { crash: neverHere, hold });
  await pass?.('published', 'scanner-uploads');
  let isHeld = true;
  const held = Promise.resolve(pass?.('handled', 'scanner-uploads')).then(() => (isHeld = false));
  await pass?.('published', 'scanner-uploads');
  expect(isHeld).toBe(true);
  release();
  await held;
});

function neverHere(): never {
  throw new Error('Nothing else is armed.');
}

test('the setting accepts known points only', () => {
  for (const { name } of faultPoints) expect([name, isTaken(name)]).toEqual([name, true]);
  expect(isTaken(`${known}@12`)).toBe(true);
  expect(areTaken(`${known},handled:reconciler-uploads`)).toBe(true);
  expect(areTaken(`${known},handled:nothing`)).toBe(false);
  for (const wrong of ['handled:nothing', known.toUpperCase(), `${known}@0`, `${known}@x`, '@1'])
    expect([wrong, isTaken(wrong)]).toEqual([wrong, false]);
});

test('no service has a point twice', () => {
  const places = faultPoints.map(({ service, name }) => `${service} ${name}`);
  expect(new Set(places).size).toBe(places.length);
});
