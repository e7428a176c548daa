import { mailDomainsOf } from '@bomtrail/api-contract';
import { usualHttpConnections } from '@bomtrail/http-edge';
import { commonSettings } from '@bomtrail/service-kit';
import { z } from 'zod';
import { parseApiKey } from './domain/api-key';
import { tlsMistakes } from './grpc/tls-settings';

const port = z.coerce.number('must be a port number').int().min(0).max(65535);
const count = z.coerce.number('must be a whole number').int('must be a whole number').min(1);
const hops = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(0, 'must be 0 (none) or more')
  .max(10, 'must be 10 or less');
const mebibyte = 1024 * 1024;

const declared = commonSettings.extend({
  HTTP_PORT: port.default(8080).describe('REST API: the base address'),
  HTTP_HOST: z
    .string()
    .default('0.0.0.0')
    .describe('Address that the REST API and the gRPC API listen on'),
  GRPC_HOST: z
    .string()
    .optional()
    .describe('Address that the gRPC API listens on, where it is another one than HTTP_HOST'),
  GRPC_PORT: port.default(50051).describe('gRPC API: upload, health, reflection'),
  GRPC_TLS_CERT: z
    .string()
    .optional()
    .describe('TLS on the gRPC port: its certificate chain, in PEM'),
  GRPC_TLS_KEY: z.string().optional().describe('Its key, in PEM, not encrypted'),
  GRPC_TLS_CLIENT_CA: z
    .string()
    .optional()
    .describe('Mutual TLS: a gRPC client needs a certificate that one of these (PEM) has signed'),
  BOMTRAIL_BOOTSTRAP_API_KEY: z
    .string()
    .refine((text) => parseApiKey(text) !== null, 'must have the form bt_<12>_<43>')
    .optional()
    .describe('A first API key with all scopes; stored (hashed) at each start'),
  MAX_UPLOAD_BYTES: count
    .default(64 * mebibyte)
    .describe('Largest file accepted, counted after unpacking'),
  UPLOAD_CONCURRENCY: count
    .default(16)
    .describe(
      'Uploads read at once; further ones wait. Of those in transfer one sender has three quarters at most',
    ),
  GRPC_UPLOAD_CONCURRENCY: count
    .default(4)
    .describe('How many of these may come over gRPC, which holds each of them in memory'),
  UPLOAD_QUEUE: count
    .default(256)
    .describe(
      'Uploads that may wait, three quarters of them of one sender; one more is answered with 503 and Retry-After',
    ),
  BOMTRAIL_TEMP_DIR: z
    .string()
    .optional()
    .describe(
      "Large uploads are kept here, gzip'd, until they are handed on; default: the system's folder",
    ),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(0, 'must be 0 (no limit) or more')
    .default(0)
    .describe('Calls that each API key may make in a minute, over all gateways; 0: no limit'),
  FAILED_KEYS_PER_MINUTE: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(0, 'must be 0 (no limit) or more')
    .default(120)
    .describe(
      'Wrong API keys from one address in a minute before it is answered 429; 0: no limit. Valid keys are let in from there, too',
    ),
  TRUSTED_PROXY_HOPS: hops
    .default(0)
    .describe(
      'Proxies in front whose X-Forwarded-For is believed; 0: none, the client is who connects',
    ),
  GRPC_TRUSTED_PROXY_HOPS: hops
    .optional()
    .describe(
      'The same for the gRPC API, where other proxies are in front of it than of REST; default: TRUSTED_PROXY_HOPS',
    ),
  HSTS_MAX_AGE_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int('must be a number of seconds')
    .min(0, 'must be 0 (not sent) or more')
    .default(0)
    .describe(
      'Strict-Transport-Security on REST answers, where a proxy in front speaks TLS; 0: not sent',
    ),
  MAX_HTTP_CONNECTIONS: count
    .default(usualHttpConnections)
    .describe(
      'REST connections at once, those of readers that wait included; further ones are closed',
    ),
  MAX_HTTP_CONNECTIONS_PER_ADDRESS: count
    .optional()
    .describe(
      'Of these from one address (IPv6: one /64 network); default: a quarter, or all where TRUSTED_PROXY_HOPS says that they come from a proxy',
    ),
  MAX_GRPC_CONNECTIONS: count
    .default(1_000)
    .describe('gRPC connections at once; further ones are closed'),
  MAX_GRPC_CONNECTIONS_PER_ADDRESS: count
    .optional()
    .describe(
      'Of these from one address (IPv6: one /64 network); default: a quarter, or all where GRPC_TRUSTED_PROXY_HOPS says that they come from a proxy',
    ),
  MAX_GRPC_WATCHES: count
    .default(1_000)
    .describe('Streams of gRPC Health/Watch at once, a quarter of them of one client'),
  AUDIT_RETENTION_DAYS: count
    .max(20_000, 'must be 20000 or less')
    .default(365)
    .describe('Days after which entries of the audit log are dropped'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL with https:// or http://' })
    .optional()
    .describe('Address of this installation, for the API page'),
  ALERT_ALLOW_PRIVATE_WEBHOOKS: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((word) => word === 'true')
    .describe('Webhooks of alert rules may be http and at internal addresses'),
  ALERT_EMAIL_DOMAINS: z
    .string()
    .default('')
    .transform(mailDomainsOf)
    .refine(
      (domains) => domains !== undefined,
      'must be domains such as example.org, comma-separated',
    )
    .describe('Domains to which alert rules may send mail, comma-separated; default: all'),
  ALERT_MAX_RECIPIENTS: count
    .max(100, 'must be 100 or less')
    .default(20)
    .describe('Recipients that an alert rule may name; more are refused with 422'),
  BOMTRAIL_COMMIT: z.string().optional().describe('Source revision that GET /version tells'),
  BOMTRAIL_BUILT_AT: z.iso
    .datetime('must be an ISO 8601 date-time in UTC')
    .optional()
    .describe('Time of the build that GET /version tells'),
});

export const settings = declared.superRefine((given, context) => {
  for (const { setting, message } of tlsMistakes(given)) {
    context.addIssue({ code: 'custom', path: [setting], message });
  }
});

export type Settings = ReturnType<typeof settings.parse>;
