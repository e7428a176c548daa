import type { Span, SpanStart, Tracer } from '../span';

/** A span as a test sees it; `parent` by its name. */
export interface RecordedSpan {
  name: string;
  parent: string | undefined;
  traceparent: string;
  links: string[];
  failed: string | undefined;
  isOver: boolean;
}

/** A tracer that keeps its spans, in the order of their beginning. */
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
      isOver: false,
    };
    spans.push(span);
    return {
      traceparent: span.traceparent,
      begin: (part) => begin(part, span.traceparent),
      link: (traceparent) => void span.links.push(traceparent),
      rename: (name) => void (span.name = name),
      note: () => {},
      fail: (type) => void (span.failed = type),
      end: () => void (span.isOver = true),
    };
  }

  return { spans, begin, stop: async () => {} };
}
