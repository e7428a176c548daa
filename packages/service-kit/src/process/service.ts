import type { ServiceName } from '@bomtrail/messages';
import type { Registry } from 'prom-client';
import type { ZodObject, z } from 'zod';
import type { Publish, PublishResult, PublishOrThrow } from '../bus/publish';
import type { BroadcastTransport, Broadcast } from '../bus/notice';
import type { Queued } from '../bus/queued';
import type { EventTransport } from '../bus/consume';
import type { Request } from '../bus/request';
import type { RpcTransport } from '../bus/serve';
import type { Database } from '../database/connect';
import type { IndexPlan } from '../database/indexes';
import type { Logger } from '../log/logger';
import type { Tracer } from '../traces/span';
import type { Leases } from '../work/lease';
import type { Sweep } from '../work/sweep';

/** What the kit hands to a service: everything that its adapters are built from. */
export interface Kit {
  readonly log: Logger;
  readonly database: Database;
  readonly leases: Leases;
  readonly registry: Registry;
  /** Undefined unless traces are switched on. */
  readonly tracer: Tracer | undefined;
  readonly request: Request;
  readonly publishOrThrow: PublishOrThrow;
  readonly publish: Publish;
  readonly publishResult: PublishResult;
  readonly broadcast: Broadcast;
  readonly queued: Queued;
  /** Are the process's own connections up? For a service that reports on itself. */
  readonly checks: () => Promise<Record<string, 'up' | 'down'>>;
}

/** What `compose` gives back: the doors of a service, opened by the kit in this order. */
export interface Composition {
  readonly indexes?: IndexPlan;
  /** Runs once the indexes are there and before any door opens. */
  readonly start?: () => Promise<void>;
  readonly rpc?: readonly RpcTransport[];
  readonly events?: readonly EventTransport[];
  readonly notices?: readonly BroadcastTransport[];
  readonly sweeps?: readonly Sweep[];
  /** Opens doors of other kinds (REST); gives what closes them. They close first. */
  readonly open?: () => Promise<{ close(): Promise<void> }>;
  /** Runs after all doors are closed and the work in hand is finished. */
  readonly stop?: () => Promise<void>;
}

/** A service as `main.ts` names it. */
export interface ServiceDefinition<Schema extends ZodObject> {
  readonly name: ServiceName;
  /** Extends `commonSettings`. */
  readonly settings: Schema;
  readonly compose: (kit: Kit, settings: z.infer<Schema>) => Composition | Promise<Composition>;
}
