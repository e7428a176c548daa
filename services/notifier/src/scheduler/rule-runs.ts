import { LeaseLost, type Tenure } from '@bomtrail/mongo';
import { inNewContext, type Logger } from '@bomtrail/telemetry';
import type { Target } from '../channels/channel';
import { isDue } from '../domain/retry-state';
import type { Metrics } from '../metrics';
import type { AlertRuleStore } from '../ports';
import type { AlertRuleDocument } from '../store/documents';
import { checkRule, type CheckRuleDeps, type RuleCheck } from '../use-cases/check-rule';
import { configOf } from '../use-cases/config-of';
import { createSlots } from './slots';
import type { TargetLanes } from './target-lanes';

export interface RuleRunsDeps extends CheckRuleDeps {
  rules: Pick<AlertRuleStore, 'find'>;
  lanes: TargetLanes;
  log: Logger;
  metrics: Metrics;
}

/** Running checks, at most one per rule. */
export interface RuleRuns {
  /** Starts the check of a rule unless it is running. */
  start(ruleId: string, statesOf: RuleCheck['statesOf']): void;
  /** Rules whose check is running. */
  running(): string[];
  /**
   * Rules whose check failed for another reason than their channel, since the last `clearFailed`.
   */
  failed(): string[];
  clearFailed(): void;
  /** Resolves when no check is running. */
  finished(): Promise<void>;
}

/** Rules that read large results concurrently. */
const gatheredAtOnce = 4;
/** Messages sent concurrently; bounds memory, see `maxNotified`. */
const sentAtOnce = 100;

/**
 * @param signals `begin`: aborted to start no further check; `work`: aborted to end running checks
 * @param onEnd called after each check
 */
export function createRuleRuns(
  deps: RuleRunsDeps,
  tenure: Tenure,
  { begin, work, onEnd }: { begin: AbortSignal; work: AbortSignal; onEnd: () => void },
): RuleRuns {
  const running = new Map<string, Promise<void>>();
  const gatherInSlot = createSlots(gatheredAtOnce);
  const sendInSlot = createSlots(sentAtOnce);
  const readInSlot = createSlots(gatheredAtOnce);
  const failed = new Set<string>();

  /** The current rule if it is due. */
  async function dueRule(ruleId: string): Promise<AlertRuleDocument | null> {
    begin.throwIfAborted();
    const rule = await deps.rules.find({ alert_id: ruleId, of_project: null });
    if (rule === null || !rule.enabled) return null;
    return isDue(rule.retry_state, deps.now()) ? rule : null;
  }

  function targetOf(rule: AlertRuleDocument): Target | { unconfigured: string } {
    const channel = deps.channels[rule.notification_type];
    return channel.targetOf({ id: rule._id, config: configOf(rule) });
  }

  /** The lane of the rule's current target. The rule is read again when its slot comes. */
  async function laneOf(ruleId: string): Promise<string | null> {
    const rule = await readInSlot(() => dueRule(ruleId));
    if (rule === null) return null;
    const target = targetOf(rule);
    return 'key' in target ? target.key : `rule ${ruleId}`;
  }

  async function check(ruleId: string, lane: string, statesOf: RuleCheck['statesOf']) {
    const rule = await dueRule(ruleId);
    if (rule === null) return;
    const result = await checkRule(deps, {
      rule,
      target: targetOf(rule),
      statesOf,
      gatherInSlot,
      lease: tenure,
      signal: work,
      pauseTarget: (ms) => deps.lanes.pause(lane, ms),
      pauseLeft: () => deps.lanes.pauseLeft(lane),
    });
    deps.metrics.checks.inc({ result });
  }

  async function run(ruleId: string, statesOf: RuleCheck['statesOf']): Promise<void> {
    try {
      const lane = await laneOf(ruleId);
      if (lane === null) return;
      const start = () => ({ name: 'check rule' });
      const inLane = () =>
        sendInSlot(() => inNewContext(deps.tracer, { start }, () => check(ruleId, lane, statesOf)));
      await deps.lanes.run(lane, inLane, begin);
    } catch (error) {
      if (begin.aborted || error instanceof LeaseLost) {
        deps.log.info({ rule_id: ruleId }, 'Check of a rule postponed: this process stops.');
        return;
      }
      failed.add(ruleId);
      deps.metrics.checks.inc({ result: 'error' });
      const reason = (error as Error).message;
      deps.log.warn({ rule_id: ruleId, reason }, 'The check of a rule failed.');
    }
  }

  return {
    start(ruleId, statesOf) {
      if (running.has(ruleId) || begin.aborted) return;
      const going = run(ruleId, statesOf).finally(() => {
        running.delete(ruleId);
        onEnd();
      });
      running.set(ruleId, going);
    },
    running: () => [...running.keys()],
    failed: () => [...failed],
    clearFailed: () => failed.clear(),
    async finished() {
      await Promise.all(running.values());
    },
  };
}
