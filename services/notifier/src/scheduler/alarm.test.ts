import { createAlarm } from './alarm';

const never = 3_600_000;

test('a sleeper is woken, and what rang before it fell asleep lets it not sleep at all', async () => {
  const alarm = createAlarm();
  const asleep = alarm.sleep(never);
  alarm.ring();
  await asleep;
  alarm.ring();
  await alarm.sleep(never);
  await alarm.sleep(1);
});

test('a time that is past, or longer than a timer takes, is no error', async () => {
  const alarm = createAlarm();
  await alarm.sleep(-5);
  const asleep = alarm.sleep(Infinity);
  alarm.ring();
  await asleep;
});
