import { z } from 'zod'

/** One series of an answer: its name, all of its labels, and its samples. */
export type QuerySeries = {
  readonly metric: string
  readonly labels: Readonly<Record<string, string>>
  readonly samples: readonly QuerySample[]
}

type QuerySample = {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** NaN and the infinities as numbers. */
  readonly value: number
}

/** What a Prometheus-compatible API answered, or its own account of why it did not. */
export type QueryAnswer =
  | { readonly kind: 'success'; readonly data: unknown }
  | { readonly kind: 'error'; readonly errorType: string; readonly error: string }

const Envelope = z.discriminatedUnion('status', [
  z.object({ status: z.literal('success'), data: z.unknown() }),
  z.object({ status: z.literal('error'), errorType: z.string().default(''), error: z.string().default('') }),
])

/** Reads the envelope that all endpoints share; undefined when the body is none. */
export function readEnvelope(body: string): QueryAnswer | undefined {
  const parsed = Envelope.safeParse(parseJson(body))
  if (!parsed.success) return undefined
  const { data } = parsed
  return data.status === 'success' ? { kind: 'success', data: data.data } : { kind: 'error', ...data }
}

const Result = z.object({ resultType: z.enum(['vector', 'matrix', 'scalar', 'string']), result: z.array(z.unknown()) })

/**
 * The series of a query's answer, or undefined when it does not look like one. Series are checked by hand: a schema
 * over 100,000 samples costs more than reading them.
 */
export function readSeries(data: unknown): QuerySeries[] | undefined {
  const parsed = Result.safeParse(data)
  if (!parsed.success) return undefined
  const series: QuerySeries[] = []
  for (const raw of parsed.data.result) {
    const one = readOne(raw)
    if (one === undefined) return undefined
    series.push(one)
  }
  return series
}

/** A list of words, as `/api/v1/label/…/values` answers it. */
export const readTexts = (data: unknown): string[] | undefined => z.array(z.string()).safeParse(data).data

function readOne(raw: unknown): QuerySeries | undefined {
  if (!isObject(raw) || !('metric' in raw) || !isObject(raw.metric)) return undefined
  const samples = readSamples('values' in raw ? raw.values : 'value' in raw ? [raw.value] : undefined)
  if (samples === undefined) return undefined
  const labels: Record<string, string> = {}
  for (const [name, value] of Object.entries(raw.metric)) if (typeof value === 'string') labels[name] = value
  return { metric: labels['__name__'] ?? '', labels, samples }
}

function readSamples(pairs: unknown): QuerySample[] | undefined {
  if (!Array.isArray(pairs)) return undefined
  const samples = pairs.map(readSample)
  return samples.every((sample) => sample !== undefined) ? samples : undefined
}

function readSample(pair: unknown): QuerySample | undefined {
  if (!Array.isArray(pair)) return undefined
  const [at, value]: unknown[] = pair
  if (typeof at !== 'number' || typeof value !== 'string') return undefined
  return { at: Math.round(at * 1000), value: readNumber(value) }
}

function readNumber(text: string): number {
  if (text === '+Inf' || text === 'Inf') return Infinity
  if (text === '-Inf') return -Infinity
  return text === '' ? NaN : Number(text)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
