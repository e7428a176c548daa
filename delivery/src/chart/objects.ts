import { isDeepStrictEqual } from 'node:util';

/** What every object of Kubernetes has. Of `spec` and `data` each check knows what it looks for. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- forty shapes, of which few fields are read
  spec?: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  data?: any;
  automountServiceAccountToken?: boolean;
}

/** A pod as it will run, with the object that makes it. */
export interface Pod {
  readonly owner: KubeObject;
  /** `Deployment sboms-gateway` */
  readonly name: string;
  /** The value of app.kubernetes.io/component. */
  readonly component: string;
  readonly labels: Readonly<Record<string, string>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a PodSpec, of which few fields are read
  readonly spec: any;
}

/** All pods that the objects make. */
export function podsOf(objects: readonly KubeObject[]): Pod[] {
  return objects.flatMap((owner) => {
    const template = owner.kind === 'Pod' ? owner : owner.spec?.template;
    if (!template?.spec?.containers) return [];
    const labels: Record<string, string> = template.metadata?.labels ?? {};
    const component = labels['app.kubernetes.io/component'] ?? '';
    return [{ owner, name: nameOf(owner), component, labels, spec: template.spec }];
  });
}

/** `Kind name` */
export function nameOf(object: KubeObject): string {
  return `${object.kind} ${object.metadata.name}`;
}

/** The objects of one kind. */
export function ofKind(objects: readonly KubeObject[], ...kinds: string[]): KubeObject[] {
  return objects.filter((object) => kinds.includes(object.kind));
}

/** A label selector as Kubernetes writes it. */
export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** Does a selector choose these labels? @throws Error on an operator that the chart does not use */
export function selects(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([k, v]) => labels[k] === v);
  const within = (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    if (operator !== 'In') throw new Error(`Selectors with ${operator} are not understood here.`);
    return values.includes(labels[key] ?? '');
  });
  return equal && within;
}

/** Are two parsed values the same? */
export const same = isDeepStrictEqual;
