import { isDeepStrictEqual } from 'node:util';

/** A Kubernetes object. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- forty shapes, of which few fields are read
  spec?: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  data?: any;
  automountServiceAccountToken?: boolean;
}

/** A pod and the object that creates it. */
export interface Pod {
  readonly owner: KubeObject;
  /** `Deployment sboms-gateway` */
  readonly name: string;
  /** The value of app.kubernetes.io/component. */
  readonly component: string;
  readonly labels: Readonly<Record<string, string>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- a PodSpec, of which few fields are read
  readonly spec: any;
}

/** Returns the pods of all objects. */
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

/** Returns the objects of one kind. */
export function ofKind(objects: readonly KubeObject[], ...kinds: string[]): KubeObject[] {
  return objects.filter((object) => kinds.includes(object.kind));
}

/** A label selector. */
export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** True if a selector matches the labels. @throws Error on an unsupported operator */
export function selects(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([k, v]) => labels[k] === v);
  const within = (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    if (operator !== 'In') throw new Error(`Selectors with ${operator} are not understood here.`);
    return values.includes(labels[key] ?? '');
  });
  return equal && within;
}

/** True if two parsed values are equal. */
export const same = isDeepStrictEqual;
