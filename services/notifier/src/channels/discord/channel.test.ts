import { discordPostUrl } from './channel';

test.each([
  ['https://discord.com/api/webhooks/1/t', 'https://discord.com/api/v10/webhooks/1/t?wait=true'],
  [
    'https://discordapp.com/api/webhooks/1/t?thread_id=2',
    'https://discordapp.com/api/v10/webhooks/1/t?thread_id=2&wait=true',
  ],
  ['https://discord.com/api/v9/webhooks/1/t', 'https://discord.com/api/v9/webhooks/1/t?wait=true'],
  ['https://chat.example/api/webhooks/1/t', 'https://chat.example/api/webhooks/1/t?wait=true'],
])('messages for %s go to %s', (webhook, postUrl) => {
  expect(discordPostUrl(new URL(webhook)).href).toBe(postUrl);
});
