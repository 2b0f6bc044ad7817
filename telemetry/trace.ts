import type * as OpenTelemetry from '@opentelemetry/api'
import type { Attributes, Span, Tracer } from '@opentelemetry/api'

type Api = typeof OpenTelemetry

/** Null unless traces are sent: then nothing of OpenTelemetry is loaded. */
let active: { api: Api; tracer: Tracer } | null = null

export interface StartedSpan {
  traceId: string
  /** Runs the work with what it starts as children of the span. */
  run<T>(work: () => T): T
  rename(name: string): void
  end(attributes?: Attributes, error?: unknown): void
}

interface SpanOptions {
  kind: 'SERVER' | 'CLIENT' | 'INTERNAL'
  attributes: Attributes
  /** Of the trace of a proxy, which the span of a request continues. */
  traceparent?: string | undefined
}

/** Sends traces to a collector's OTLP endpoint. Returns the function that sends the last ones. */
export async function startTracing(endpoint: string): Promise<() => Promise<void>> {
  const [api, hooks, resources, sdk, otlp] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const { serviceNameEnvDetector, resourceAttributesEnvDetector } = resources
  const detectors = [serviceNameEnvDetector, resourceAttributesEnvDetector]
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'winged-wheels' })
      .merge(resources.detectResources({ detectors })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  active = { api, tracer: provider.getTracer('winged-wheels') }
  return async () => {
    active = null
    await provider.shutdown()
    api.context.disable()
  }
}

/** Null while no traces are sent, and for a call that neither a request nor a job makes, such as asking for jobs. */
export function startSpan(name: string, { kind, attributes, traceparent }: SpanOptions): StartedSpan | null {
  if (!active) return null
  const { api, tracer } = active
  const parent = kind === 'CLIENT' ? api.context.active() : remoteParent(api, traceparent)
  if (kind === 'CLIENT' && !api.trace.getSpan(parent)) return null
  const span = tracer.startSpan(name, { kind: api.SpanKind[kind], attributes }, parent)
  return {
    traceId: span.spanContext().traceId,
    run: (work) => api.context.with(api.trace.setSpan(parent, span), work),
    rename: (newName) => span.updateName(newName),
    end(more, error) {
      if (more) span.setAttributes(more)
      if (error) fail(api, span, error)
      span.end()
    },
  }
}

/** Lets the callback start spans as if it were called now. */
export function keepTrace<Callback extends (...args: never[]) => unknown>(callback: Callback): Callback {
  return active ? active.api.context.bind(active.api.context.active(), callback) : callback
}

export function isTracing(): boolean {
  return active !== null
}

function remoteParent(api: Api, traceparent: string | undefined) {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || !flags) return api.ROOT_CONTEXT
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return api.trace.setSpanContext(api.ROOT_CONTEXT, parent)
}

/** Without the message, which may contain personal data. */
function fail(api: Api, span: Span, error: unknown) {
  const { name = 'Error', code } = error as { name?: string; code?: unknown }
  span.setAttribute('error.type', typeof code === 'string' ? code : name)
  span.setStatus({ code: api.SpanStatusCode.ERROR })
}
