/** Span kinds of OpenTelemetry. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span to start. */
export interface SpanStart {
  /** Low cardinality: the kind of work, without ids. */
  readonly name: string;
  /** `internal` when absent. */
  readonly kind?: SpanKind;
  /** Must not contain personal data or secrets: spans are exported. */
  readonly attributes?: SpanAttributes;
}

/** A span. The tracing SDK behind this interface is loaded only if tracing is enabled (ADR 0033). */
export interface Span {
  /** W3C Trace Context of this span, to be passed on. */
  readonly traceparent: string;
  /** Starts a child span. */
  begin(start: SpanStart): Span;
  /** Links another span, which may belong to another trace. */
  link(traceparent: string): void;
  rename(name: string): void;
  note(attributes: SpanAttributes): void;
  /** Marks the span as failed. `type`: an error code or class name, not a message. */
  fail(type: string): void;
  /** Must be called exactly once. */
  end(): void;
}

/** Starts root spans and spans of remote parents. */
export interface Tracer {
  /** @param parent W3C Trace Context of the parent; undefined or malformed: a new trace */
  begin(start: SpanStart, parent: string | undefined): Span;
  /** Exports pending spans; resolves even if that fails. */
  stop(): Promise<void>;
}
