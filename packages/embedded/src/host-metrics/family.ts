/** One line of a metric: its labels and its value. */
export interface Sample {
  labels?: Record<string, string>;
  value: number;
}

/** A metric as node_exporter names it, with all of its lines at this moment. */
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
