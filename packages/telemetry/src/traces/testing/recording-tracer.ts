import type { Span, SpanStart, Tracer } from '../span';

/** A recorded span; `parent` is the name of its parent. */
export interface RecordedSpan {
  name: string;
  parent: string | undefined;
  traceparent: string;
  links: string[];
  failed: string | undefined;
  hasEnded: boolean;
}

/** A tracer that records its spans in start order. */
export function recordingTracer(): Tracer & { spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = [];

  function begin(start: SpanStart, parent: string | undefined): Span {
    const id = String(spans.length + 1).padStart(16, '0');
    const traceId = parent?.split('-')[1] ?? id.padStart(32, 'a');
    const span: RecordedSpan = {
      name: start.name,
      parent: spans.find(({ traceparent }) => traceparent === parent)?.name,
      traceparent: `00-${traceId}-${id}-01`,
      links: [],
      failed: undefined,
      hasEnded: false,
    };
    spans.push(span);
    return {
      traceparent: span.traceparent,
      begin: (part) => begin(part, span.traceparent),
      link: (traceparent) => void span.links.push(traceparent),
      rename: (name) => void (span.name = name),
      note: () => {},
      fail: (type) => void (span.failed = type),
      end: () => void (span.hasEnded = true),
    };
  }

  return { spans, begin, stop: async () => {} };
}
