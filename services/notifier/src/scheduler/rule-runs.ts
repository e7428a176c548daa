import { inNewContext, LeaseLost, type Logger, type Tenure } from '@bomtrail/service-kit';
import type { Target } from '../channels/channel';
import { isDue } from '../domain/retry-state';
import type { Metrics } from '../metrics';
import type { AlertRuleStore } from '../store/alert-rule-store';
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

/** The rules that are looked at now; each at most once at a time. */
export interface RuleRuns {
  /** Looks at a rule, unless that is going on. */
  start(ruleId: string, statesOf: RuleCheck['statesOf']): void;
  /** The rules that are looked at now. */
  running(): string[];
  /** The rules whose look failed for another reason than their channel, since the last `clearFailed`. */
  failed(): string[];
  clearFailed(): void;
  /** Resolves when nothing is going on. */
  finished(): Promise<void>;
}

/** Rules whose large results are read at once. */
const gatheredAtOnce = 4;
/** Messages that are on their way at once; bounds memory, see `maxNotified`. */
const sentAtOnce = 100;

/**
 * @param signals `begin`: aborted, no further look begins; `work`: aborted, those that have begun end
 * @param onEnd called after each look
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

  /** The rule as it is now, when it is to be looked at. */
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

  /** Where the rule's messages go now: the queue that it waits in. The rule is read again when its turn comes. */
  async function laneOf(ruleId: string): Promise<string | null> {
    const rule = await readInSlot(() => dueRule(ruleId));
    if (rule === null) return null;
    const target = targetOf(rule);
    return 'key' in target ? target.key : `rule ${ruleId}`;
  }

  async function look(ruleId: string, lane: string, statesOf: RuleCheck['statesOf']) {
    const rule = await dueRule(ruleId);
    if (rule === null) return;
    const result = await checkRule(deps, {
      ...{ rule, target: targetOf(rule), statesOf, gatherInSlot },
      ...{ lease: tenure, signal: work },
      pauseTarget: (ms) => deps.lanes.pause(lane, ms),
      pauseLeft: () => deps.lanes.pauseLeft(lane),
    });
    deps.metrics.checks.inc({ result });
  }

  async function run(ruleId: string, statesOf: RuleCheck['statesOf']): Promise<void> {
    try {
      const lane = await laneOf(ruleId);
      if (lane === null) return;
      const start = () => ({ name: 'look at a rule' });
      const inLane = () =>
        sendInSlot(() => inNewContext(deps.tracer, { start }, () => look(ruleId, lane, statesOf)));
      await deps.lanes.run(lane, inLane, begin);
    } catch (error) {
      if (begin.aborted || error instanceof LeaseLost) {
        deps.log.info({ rule_id: ruleId }, 'A rule is looked at later: this process stops.');
        return;
      }
      failed.add(ruleId);
      deps.metrics.checks.inc({ result: 'error' });
      const reason = (error as Error).message;
      deps.log.warn({ rule_id: ruleId, reason }, 'A rule could not be looked at.');
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
