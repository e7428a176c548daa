import type * as messages from '@bomtrail/messages';
import { instant, vulnerabilityId } from './fake-data';

export const delivery: messages.DeliveryView = {
  id: '0197c1e3-0a9b-7d44-9f10-2b3c4d5e6f70',
  at: instant,
  channel: 'email',
  kind: 'alert',
  outcome: 'failed',
  reason: 'The SMTP server refused the login.',
  total: 3,
  counts: { critical: 1, unknown: 2 },
  reminders: 0,
  next_attempt_at: '2026-03-02T09:16:00.000Z',
};

export const alertPreview: messages.AlertPreview = {
  can_send: false,
  reason: 'No SMTP_HOST is set.',
  total: 1,
  counts: { critical: 1 },
  top: [
    {
      vulnerability_id: vulnerabilityId,
      severity: 'critical',
      cvss_score: 10,
      cve_id: 'CVE-2021-44228',
      title: 'Remote code injection',
      package_name: 'a',
      package_version: '1.0.0',
      fixed_versions: ['1.0.1'],
      service_name: 'Checkout',
      kev: { date_added: '2021-12-10', due_date: '2021-12-24', ransomware: true },
      epss_score: 0.975,
      reporting_deadlines: null,
    },
  ],
  reminders: [
    { kind: 'api_key', at: instant, subject: 'CI', about: 'bt_ci0webshop00', severity: null },
  ],
  text: '1 new vulnerability in Web Shop',
  services: 3,
};
