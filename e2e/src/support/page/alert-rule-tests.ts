/// <reference types="jest" />
import { send } from '@bomtrail/api-client';
import type { Page } from 'playwright-core';
import { createAlertCalls } from '../alerts/alert-calls';
import { keysOf } from './keys';
import type { PageStage } from './page-stage';

/** Tests of the form and the preview of alert rules, with the stack of the other ones. */
export function alertRuleTests(stage: () => PageStage): void {
  const webhook_url = 'https://hooks.example.com/of-this-rule';
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Asia/Tokyo', weekends: false };
  const digest = { every: 'day', at: '09:00', weekday: 'monday', time_zone: 'America/New_York' };
  const alerts = () => createAlertCalls(stage().running.target);
  let id: string;

  afterEach(() =>
    send(stage().running.target, { method: 'DELETE', path: `/api/v1/alert-rules/${id}` }),
  );

  async function formOf(rule: object): Promise<Page> {
    const { open, data } = stage();
    id = await alerts().create({ project_id: data.billing.id, ...rule });
    const page = await open('/alerts');
    await keysOf(page).activate(page.getByRole('button', { name: 'Change', exact: true }));
    return page;
  }

  test('half of the quiet hours is not saved as none, also not in a part of the form that is closed', async () => {
    const page = await formOf({ notification_type: 'email', config: { quiet_hours, digest } });
    const keys = keysOf(page);
    const form = page.getByRole('dialog');
    const more = form.getByText('Services, times and reminders');
    await keys.activate(more);
    await form.getByLabel('Quiet to').fill('');
    await keys.activate(more);
    await keys.activate(form.getByRole('button', { name: 'Save' }));
    await form.getByLabel('Quiet to').and(page.locator(':focus:invalid')).waitFor();
    await form.getByLabel('Quiet to').fill('06:30');
    await keys.activate(form.getByRole('button', { name: 'Save' }));
    await form.waitFor({ state: 'detached' });
    const changed = { quiet_hours: { ...quiet_hours, to: '06:30' }, digest };
    expect(await alerts().read(id)).toMatchObject({ options: changed });
  });

  test('another channel does not send to the receiver of the one before; a key of signatures needs its webhook', async () => {
    const page = await formOf({ notification_type: 'slack', config: { webhook_url } });
    const keys = keysOf(page);
    const form = page.getByRole('dialog');
    const preview = async () => {
      const path = `/api/v1/alert-rules/${id}/preview`;
      return (await send(stage().running.target, { method: 'GET', path })).json();
    };
    expect(await preview()).toMatchObject({ can_send: true });
    await keys.choose(form.getByLabel('By', { exact: true }), 'webhook');
    await form.getByText('needs its receiver again').waitFor();
    await keys.write(form.getByLabel('Key of the signatures'), 'whsec_unused');
    await keys.activate(form.getByRole('button', { name: 'Save' }));
    await form.getByLabel('Webhook', { exact: true }).and(page.locator(':focus:invalid')).waitFor();
    await keys.choose(form.getByLabel('By', { exact: true }), 'teams');
    await keys.activate(form.getByRole('button', { name: 'Save' }));
    await form.waitFor({ state: 'detached' });
    expect(await preview()).toMatchObject({ can_send: false });
  });

  test('a rule whose owner has no service does not say that all has been notified', async () => {
    const page = await formOf({
      notification_type: 'slack',
      config: { webhook_url, owner: 'Team Gone' },
    });
    const keys = keysOf(page);
    await keys.press('Escape');
    await keys.activate(page.getByRole('button', { name: /^Billing .*Team Gone/ }));
    await page.getByText('No service of the project has this owner').waitFor();
    expect(await page.getByText('all has been notified').count()).toBe(0);
  });
}
