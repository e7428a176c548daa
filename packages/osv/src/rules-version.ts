/**
 * Grows whenever the rules of `locate`, `evaluate` or `MATCHED_ECOSYSTEMS` may give another answer
 * for the same records and components: what was stored under an older number is evaluated again
 * after an upgrade.
 */
export const MATCHING_RULES_VERSION = 3;
