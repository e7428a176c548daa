// Opens an issue in a tracker for each message of a webhook rule. Node 22 or later, no packages.
// WEBHOOK_SECRET: key of the rule. TRACKER_URL, TRACKER_AUTHORIZATION: where issues are created, and the
// header for it. TRACKER_PROJECT, TRACKER_TYPE: of the new issues.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', TRACKER_URL = '', TRACKER_AUTHORIZATION = '' } = process.env;
const { TRACKER_PROJECT = '', TRACKER_TYPE = 'Task', PORT = '8090' } = process.env;
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
if (key.length < 24 || TRACKER_URL === '') throw new Error('Set WEBHOOK_SECRET and TRACKER_URL.');

const largest = 256 * 1024;
/** Issues by id of the message, those in progress included. Use a table if several receivers share the work. */
const created = new Map();

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = headers;
  if (!id || !time || !given || !(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  return given.split(' ').some((signature) => {
    const value = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return value.length === expected.length && timingSafeEqual(value, expected);
  });
}

/** The body for Jira (REST API 2); change it for another tracker. */
function issueOf({ id, summary, text }) {
  const description = `{noformat}${text.replaceAll('{', '(').replaceAll('}', ')')}{noformat}`;
  const labels = ['bomtrail', `bomtrail-${id}`];
  const fields = { project: { key: TRACKER_PROJECT }, issuetype: { name: TRACKER_TYPE } };
  return { fields: { ...fields, summary, description, labels } };
}

async function createIssue(message) {
  const response = await fetch(TRACKER_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: TRACKER_AUTHORIZATION },
    body: JSON.stringify(issueOf(message)),
    signal: AbortSignal.timeout(8_000),
  });
  if (!response.ok) throw new Error(`The tracker answered ${response.status}.`);
}

async function statusFor(request) {
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > largest) return 413;
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  if (!isSigned(request.headers, body)) return 401;
  const message = JSON.parse(body.toString('utf8'));
  if (message.kind === 'test') return 204;
  if (!created.has(message.id)) created.set(message.id, createIssue(message));
  try {
    await created.get(message.id);
    return 204;
  } catch (error) {
    // The notifier sends it again, with the same id.
    created.delete(message.id);
    console.error(error.message);
    return 502;
  }
}

createServer(async (request, response) => {
  response.writeHead(await statusFor(request).catch(() => 400)).end();
}).listen(Number(PORT), function onListening() {
  console.log(`Listening on ${this.address().port}`);
});
