/** What a part of the work is to whom: names of OpenTelemetry. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A part of the work that begins. */
export interface SpanStart {
  /** One of few: what kind of work it is, without ids. */
  readonly name: string;
  /** `internal` when absent. */
  readonly kind?: SpanKind;
  /** No personal data and no secrets: they leave the product. */
  readonly attributes?: SpanAttributes;
}

/**
 * A part of a trace. This is all that our code knows of tracing: what stands behind it is loaded only
 * where traces are switched on (ADR 0033).
 */
export interface Span {
  /** W3C Trace Context of this part, for whoever goes on. */
  readonly traceparent: string;
  /** Begins a part of this part. */
  begin(start: SpanStart): Span;
  /** Says that another part, also of another trace, has to do with this one. */
  link(traceparent: string): void;
  rename(name: string): void;
  note(attributes: SpanAttributes): void;
  /** It did not do what it was to do. `type`: a code or the name of an error, no message. */
  fail(type: string): void;
  /** Exactly once. */
  end(): void;
}

/** Begins traces, and parts of those that came from elsewhere. */
export interface Tracer {
  /** @param parent W3C Trace Context of what it is a part of; undefined or malformed: a trace of its own */
  begin(start: SpanStart, parent: string | undefined): Span;
  /** Hands on what was gathered; resolves also where nobody takes it. */
  stop(): Promise<void>;
}
