/** The overview has no parameters yet; whatever stands in the address is dropped. */
export function parseOverviewSearch(): Record<string, never> {
  return {};
}
