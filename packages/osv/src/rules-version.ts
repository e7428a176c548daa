/**
 * Increase it whenever the rules of `locate`, `evaluate` or `MATCHED_ECOSYSTEMS` may give another
 * result for the same input. Results of an older version are evaluated again after an upgrade.
 */
export const MATCHING_RULES_VERSION = 6;
