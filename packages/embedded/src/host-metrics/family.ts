/** One sample of a metric. */
export interface Sample {
  labels?: Record<string, string>;
  value: number;
}

/** A metric in the naming of node_exporter, with its current samples. */
export interface Family {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  samples: Sample[];
}

export function gauge(name: string, help: string, samples: Sample[]): Family {
  return { name, help, type: 'gauge', samples };
}

export function counter(name: string, help: string, samples: Sample[]): Family {
  return { name, help, type: 'counter', samples };
}
