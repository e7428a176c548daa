import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exampleDigest } from '../testing/example-digest';
import { discordMessage } from './discord/render';
import { mailContent } from './email/render';
import { slackMessage } from './slack/render';

const folder = path.join(__dirname, '..', '..', '..', '..', 'docs', 'alerts');
const digest = exampleDigest();
const mail = mailContent(digest);

const examples: [file: string, content: string][] = [
  ['email.txt', `Subject: ${mail.subject}\n\n${mail.text}`],
  ['email.html', mail.html],
  ['slack.json', `${JSON.stringify(slackMessage(digest), null, 2)}\n`],
  ['discord.json', `${JSON.stringify(discordMessage(digest), null, 2)}\n`],
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
