import { parser } from '@prometheus-io/lezer-promql';

/** The parts of a PromQL expression that must fit what services tell. */
export interface PromqlParts {
  metrics: Set<string>;
  /** Label names by which it selects or groups. */
  labels: Set<string>;
}

/**
 * Reads a PromQL expression with Prometheus' own grammar.
 *
 * @throws Error when it is none
 */
export function promqlParts(expression: string): PromqlParts {
  const parts: PromqlParts = { metrics: new Set(), labels: new Set() };
  parser.parse(expression).iterate({
    enter({ name, type, from, to, node }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`No PromQL at "${expression.slice(from)}": ${expression}`);
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') parts.metrics.add(text);
      if (name === 'LabelName') parts.labels.add(text);
    },
  });
  return parts;
}
