import { rights, serviceNames } from '@bomtrail/messages';
import { nameOf, ofKind, type KubeObject } from './objects';
import type { Values } from './files';

/** A queue that triggers scaling of a service. */
interface Trigger {
  stream: string;
  consumer: string;
}

/** Checks that the queues in values.yaml are those consumed by the service. */
export function triggerErrors(values: Values): string[] {
  return serviceNames.flatMap((service) => {
    const block = values[service] as { autoscaling?: { triggers?: Trigger[] } };
    const triggers = block.autoscaling?.triggers;
    return triggers === undefined ? [] : compared(service, triggers);
  });
}

/** Checks the rendered ScaledObjects likewise. */
export function scaledObjectErrors(objects: readonly KubeObject[]): string[] {
  return ofKind(objects, 'ScaledObject').flatMap((object) => {
    const service = object.metadata.labels?.['app.kubernetes.io/component'] ?? '';
    const triggers: { metadata: Trigger }[] = object.spec.triggers;
    return compared(
      service,
      triggers.map(({ metadata }) => metadata),
    ).map((error) => `${nameOf(object)}: ${error}`);
  });
}

function compared(service: string, triggers: readonly Trigger[]): string[] {
  const name = serviceNames.find((one) => one === service);
  const consumed = name === undefined ? [] : rights[name].consumes;
  const wanted = consumed.map(({ durable, message }) => `${message.stream}/${durable}`).sort();
  const found = triggers.map(({ stream, consumer }) => `${stream}/${consumer}`);
  return [
    ...wanted
      .filter((queue) => !found.includes(queue))
      .map((queue) => `${service}: lacks ${queue}`),
    ...found
      .filter((queue) => !wanted.includes(queue))
      .map((queue) => `${service}: takes nothing from ${queue}`),
  ];
}
