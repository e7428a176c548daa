import type { Channel } from '../channel';
import { createWebhookChannel, type WebhookDeps } from '../webhook/webhook-channel';
import { teamsMessage } from './render';

/** @param url the default workflow of the deployment */
export function createTeamsChannel(url: string | undefined, deps: WebhookDeps): Channel {
  const service = {
    name: 'Teams',
    url,
    setting: 'TEAMS_WEBHOOK_URL',
    message: teamsMessage,
    errorCode: workflowErrorCode,
  };
  return createWebhookChannel(service, deps);
}

/** Workflows respond with a code such as `WorkflowNotFound` in `error` (Azure REST error format). */
function workflowErrorCode(body: string): string | undefined {
  try {
    const code = (JSON.parse(body) as { error?: { code?: unknown } | null } | null)?.error?.code;
    return typeof code === 'string' && /^[A-Za-z]{1,60}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
