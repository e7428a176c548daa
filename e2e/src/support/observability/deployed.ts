import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../real-data';

/** An alert rule as Prometheus reads it. */
export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

/** A file that is delivered. */
export function fileOf(...parts: string[]): string {
  return readFileSync(path.join(repositoryRoot, ...parts), 'utf8');
}

export function alertRules(): AlertRule[] {
  const file = parse(fileOf('deploy', 'observability', 'alert-rules.yaml')) as {
    groups: { rules: AlertRule[] }[];
  };
  return file.groups.flatMap(({ rules }) => rules);
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

export function dashboardPanels(): Panel[] {
  const file = JSON.parse(fileOf('deploy', 'observability', 'dashboard.json')) as {
    panels: Panel[];
  };
  return file.panels;
}

/** Every PromQL expression of the delivered files, with the place where it stands. */
export function expressions(): { source: string; expression: string }[] {
  const inDashboard = dashboardPanels().flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      source: `panel "${title}"`,
      // Grafana puts the interval in.
      expression: expr.replaceAll('$__rate_interval', '5m'),
    })),
  );
  const inRules = alertRules().map(({ alert, expr }) => ({ source: alert, expression: expr }));
  return [...inDashboard, ...inRules];
}

/** What a service tells of a metric. */
export interface ExportedMetric {
  name: string;
  type: string;
  help: string;
  labels: Set<string>;
}

/** Reads Prometheus' text format. */
export function exportedMetrics(text: string): Map<string, ExportedMetric> {
  const metrics = new Map<string, ExportedMetric>();
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (kind) {
      const known = metrics.get(name) ?? { name, type: '', help: '', labels: new Set<string>() };
      if (kind === 'HELP') known.help = rest;
      else known.type = rest;
      metrics.set(name, known);
      continue;
    }
    const [, sample = '', labels = ''] = /^([A-Za-z_:][\w:]*)\{(.*)\} /.exec(line) ?? [];
    const metric = metrics.get(sample) ?? metrics.get(sample.replace(/_(bucket|sum|count)$/, ''));
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) metric?.labels.add(label);
  }
  return metrics;
}

/** The names under which the values of a metric are asked for. */
export function seriesOf({ name, type }: ExportedMetric): string[] {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
}
