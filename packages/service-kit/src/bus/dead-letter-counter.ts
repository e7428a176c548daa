import { Counter, type Registry } from 'prom-client';

/** Without a registry it counts for nobody. */
export function deadLetterCounter(registry?: Registry): Counter<'consumer'> {
  return new Counter({
    name: 'bomtrail_dead_letters_total',
    help: 'Messages that were given up and laid among the dead letters',
    labelNames: ['consumer'],
    registers: registry ? [registry] : [],
  });
}
