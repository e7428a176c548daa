import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exampleDigest } from '../testing/example-digest';
import { discordMessage } from './discord/render';
import { mailContent } from './email/render';
import { z } from 'zod';
import { pagerDutyEvent } from './pagerduty/render';
import { webhookMessage } from './signed-webhook/render';
import { webhookMessageSchema } from './signed-webhook/schema';
import { slackMessage } from './slack/render';
import { teamsMessage } from './teams/render';

const folder = path.join(__dirname, '..', '..', '..', '..', 'docs', 'alerts');
const digest = exampleDigest();
const mail = mailContent(digest);

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const schema = z.toJSONSchema(webhookMessageSchema, { target: 'draft-2020-12', io: 'input' });

const examples: [file: string, content: string][] = [
  ['email.txt', `Subject: ${mail.subject}\n\n${mail.text}`],
  ['email.html', mail.html],
  ['slack.json', json(slackMessage(digest))],
  ['discord.json', json(discordMessage(digest))],
  ['teams.json', json(teamsMessage(digest))],
  ['pagerduty.json', json(pagerDutyEvent(digest, 'R0'.repeat(16)))],
  ['webhook.json', json(webhookMessage(digest))],
  ['webhook.schema.json', json(schema)],
];

test.each(examples)(
  'docs/alerts/%s is what is sent: BOMTRAIL_WRITE_EXAMPLES=true makes this test write it',
  (file, content) => {
    const at = path.join(folder, file);
    if (process.env['BOMTRAIL_WRITE_EXAMPLES'] === 'true') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(at, content);
    }
    expect(readFileSync(at, 'utf8')).toBe(content);
  },
);
