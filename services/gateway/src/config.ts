import { mailDomainsOf } from '@bomtrail/api-contract';
import { usualHttpConnections } from '@bomtrail/http-edge';
import { commonSettings } from '@bomtrail/service-runtime';
import { trueOrFalse } from '@bomtrail/settings';
import { z } from 'zod';
import { parseApiKey } from './api-keys/domain/api-key';
import { roleMapping, type RoleMapping } from './access/domain/role-mapping';
import { tlsErrors } from './grpc/tls-settings';
import { oidcErrors } from './sign-in/oidc-settings';

const port = z.coerce.number('must be a port number').int().min(0).max(65535);
const count = z.coerce.number('must be a whole number').int('must be a whole number').min(1);
const hops = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(0, 'must be 0 (none) or more')
  .max(10, 'must be 10 or less');
const mebibyte = 1024 * 1024;

/** Parses `OIDC_ROLES`; the error names the first place. */
function readMapping(text: string, context: z.RefinementCtx): RoleMapping {
  const parsed = roleMapping.safeParse(jsonOrNothing(text));
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const place = first?.path.length ? `; at ${first.path.join('.')}: ${first.message}` : '';
  context.addIssue({
    code: 'custom',
    message: `must be a JSON list such as [{"group":"team-a","role":"viewer"}]${place}`,
  });
  return z.NEVER;
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const declared = commonSettings.extend({
  HTTP_PORT: port.default(8080).describe('Port of the REST API'),
  HTTP_HOST: z
    .string()
    .default('0.0.0.0')
    .describe('Listen address of the REST API and the gRPC API'),
  GRPC_HOST: z.string().optional().describe('Listen address of the gRPC API; default: HTTP_HOST'),
  GRPC_PORT: port.default(50051).describe('Port of the gRPC API: upload, health, reflection'),
  GRPC_TLS_CERT: z.string().optional().describe('TLS on the gRPC port: certificate chain, in PEM'),
  GRPC_TLS_KEY: z
    .string()
    .optional()
    .describe('Private key of GRPC_TLS_CERT, in PEM, not encrypted'),
  GRPC_TLS_CLIENT_CA: z
    .string()
    .optional()
    .describe('Mutual TLS: CA certificates (PEM) of gRPC clients'),
  BOMTRAIL_BOOTSTRAP_API_KEY: z
    .string()
    .refine((text) => parseApiKey(text) !== null, 'must have the form bt_<12>_<43>')
    .optional()
    .describe('First API key, with all scopes; stored (hashed) at each start'),
  MAX_UPLOAD_BYTES: count.default(64 * mebibyte).describe('Maximum size of an upload, unpacked'),
  UPLOAD_CONCURRENCY: count
    .default(32)
    .describe(
      'Concurrent uploads, of one sender at most three quarters of those in transfer; further ones wait',
    ),
  GRPC_UPLOAD_CONCURRENCY: count
    .default(4)
    .describe('Concurrent gRPC uploads in receipt or above 1 MiB, held in memory'),
  UPLOAD_QUEUE: count
    .default(256)
    .describe('Waiting uploads, at most three quarters of one sender; more are 503'),
  CHECK_CONCURRENCY: count
    .default(8)
    .describe('Concurrent checks of documents that are not stored'),
  BOMTRAIL_TEMP_DIR: z
    .string()
    .optional()
    .describe("Folder for large uploads, gzip'd, until they are forwarded; default: the system's"),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(0, 'must be 0 (no limit) or more')
    .default(0)
    .describe('Maximum calls per API key and minute, over all gateways; 0: no limit'),
  FAILED_KEYS_PER_MINUTE: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(0, 'must be 0 (no limit) or more')
    .default(120)
    .describe(
      'Invalid API keys from one address per minute before 429; 0: no limit. Valid keys from that address still work',
    ),
  TRUSTED_PROXY_HOPS: hops
    .default(0)
    .describe('Trusted proxies in front (X-Forwarded-For); 0: the client is the peer'),
  GRPC_TRUSTED_PROXY_HOPS: hops
    .optional()
    .describe('The same for the gRPC API; default: TRUSTED_PROXY_HOPS'),
  HSTS_MAX_AGE_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int('must be a number of seconds')
    .min(0, 'must be 0 (not sent) or more')
    .default(0)
    .describe('Strict-Transport-Security, if a proxy in front terminates TLS; 0: not sent'),
  MAX_HTTP_CONNECTIONS: count
    .default(usualHttpConnections)
    .describe(
      'Maximum REST connections, including those waiting for scans; further ones are closed',
    ),
  MAX_HTTP_CONNECTIONS_PER_ADDRESS: count
    .optional()
    .describe(
      'The same per address (IPv6: per /64 network); default: a quarter, or all with TRUSTED_PROXY_HOPS',
    ),
  MAX_GRPC_CONNECTIONS: count
    .default(1_000)
    .describe('Maximum gRPC connections; further ones are closed'),
  MAX_GRPC_CONNECTIONS_PER_ADDRESS: count
    .optional()
    .describe(
      'The same per address (IPv6: per /64 network); default: a quarter, or all with GRPC_TRUSTED_PROXY_HOPS',
    ),
  MAX_GRPC_WATCHES: count
    .default(1_000)
    .describe('Maximum streams of gRPC Health/Watch, at most a quarter of them of one client'),
  AUDIT_RETENTION_DAYS: count
    .max(20_000, 'must be 20000 or less')
    .default(365)
    .describe('Retention of the audit log in days'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL with https:// or http://' })
    .optional()
    .describe('Public address of this installation, for the API page'),
  OIDC_ISSUER: z
    .url({
      protocol: /^https?$/,
      error: 'must be a URL with https:// or, for this machine, http://',
    })
    .optional()
    .describe('OpenID Connect provider of people; default: none, only API keys'),
  OIDC_AUDIENCE: z
    .string()
    .optional()
    .describe("Audience of the provider's access tokens for the API; default: none accepted"),
  OIDC_CLIENT_ID: z
    .string()
    .optional()
    .describe('Client of the page at the provider; default: no sign-in. Needs PUBLIC_URL'),
  OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('Secret of OIDC_CLIENT_ID; default: a public client'),
  OIDC_SCOPES: z
    .string()
    .default('openid profile email offline_access')
    .refine((text) => text.split(/ +/).includes('openid'), 'must contain openid')
    .describe('Scopes of a sign-in, space-separated; offline_access lets sessions be renewed'),
  OIDC_GROUPS_CLAIM: z
    .string()
    .default('groups')
    .describe('Claim with the groups of a person, or a path such as realm_access.roles'),
  OIDC_ROLES: z
    .string()
    .default('[]')
    .transform(readMapping)
    .describe(
      'Roles by group or claim, as JSON (docs/operations/sign-in.md); default: nobody has one',
    ),
  WEB_PAGE: trueOrFalse(true).describe('Serve the page for browsers at /'),
  ALERT_ALLOW_PRIVATE_WEBHOOKS: trueOrFalse(false).describe(
    'Allow webhooks of alert rules to use http and internal addresses; those of settings always may',
  ),
  ALERT_EMAIL_DOMAINS: z
    .string()
    .default('')
    .transform(mailDomainsOf)
    .refine(
      (domains) => domains !== undefined,
      'must be domains such as example.org, comma-separated',
    )
    .describe(
      'Allowed recipient domains of alert rules; default: all. Does not apply to ALERT_EMAIL_TO',
    ),
  ALERT_MAX_RECIPIENTS: count
    .max(100, 'must be 100 or less')
    .default(20)
    .describe('Maximum recipients of an alert rule; more are rejected with 422'),
  BOMTRAIL_COMMIT: z.string().optional().describe('Source revision in GET /version'),
  BOMTRAIL_BUILT_AT: z.iso
    .datetime('must be an ISO 8601 date-time in UTC')
    .optional()
    .describe('Build time in GET /version'),
});

export const settings = declared.superRefine((given, context) => {
  for (const { setting, message } of [...tlsErrors(given), ...oidcErrors(given)]) {
    context.addIssue({ code: 'custom', path: [setting], message });
  }
});

export type Settings = ReturnType<typeof settings.parse>;
