import { labelsAt, type LabelEntry, type LabelMemory, settle } from './label-memory.ts'

/** The number written at `start`‥`end`, as the text formats spell it (NaN, +Inf, 1e-3), or undefined when it is none. */
function readNumber(text: string, start: number, end: number): number | undefined {
  if (text.charCodeAt(start) !== MINUS) return readPlain(text, start, end) ?? readAnyNumber(text.slice(start, end))
  const value = readPlain(text, start + 1, end)
  return value === undefined ? readAnyNumber(text.slice(start, end)) : -value
}

/** At most 15 digits with at most one point among them; undefined for anything else. */
function readPlain(text: string, start: number, end: number): number | undefined {
  let mantissa = 0
  let point = end
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - ZERO
    if (isDigit(digit)) mantissa = mantissa * 10 + digit
    else if (digit === POINT && point === end) point = at
    else return undefined
  }
  const digits = end - start - (point === end ? 0 : 1)
  if (digits === 0 || digits > 15) return undefined
  // With at most 15 digits both operands are exact, so one division is rounded correctly (Clinger's fast path).
  return point === end ? mantissa : mantissa / (POWERS[end - 1 - point] ?? 1)
}

const isDigit = (value: number): boolean => value >= 0 && value <= 9

const MINUS = 45
const ZERO = 48
/** Counted from the digit 0, as digits are. */
const POINT = 46 - ZERO
const POWERS = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function readAnyNumber(word: string): number | undefined {
  if (DECIMAL.test(word)) return Number(word)
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(word)
  if (infinity !== null) return infinity[1] === '-' ? -Infinity : Infinity
  return /^[+-]?nan$/i.test(word) ? NaN : undefined
}

/** Takes one sample of one metric. `at` is milliseconds since the epoch, or undefined where the line has no timestamp. */
type SampleSink<L> = (labels: L, value: number, at: number | undefined) => void

export type ExpositionOptions<L> = {
  /** What to do with samples of a metric; undefined skips the metric without looking at its labels. */
  readonly sinkFor: (metric: string) => SampleSink<L> | undefined
  /** Label sets seen before on the same target; keep it between scrapes. */
  readonly labels: LabelMemory<L>
  /** OpenMetrics gives timestamps in seconds, the older text format in milliseconds. */
  readonly openMetrics?: boolean
}

export type ExpositionSummary = {
  /** Samples handed to a sink. */
  readonly samples: number
  /** Samples of metrics that nobody asked for. */
  readonly skipped: number
  /** Lines that could not be read; the rest is still good. */
  readonly malformed: number
  /** The first such line's number, from 1. */
  readonly firstMalformed: number | undefined
  /** The text ends inside a line, which was not used: half a number is also a number. */
  readonly truncated: boolean
}

/** Longer lines are counted as malformed and not looked at. A label set of dcgm-exporter has well under 2 KiB. */
export const MAXIMUM_LINE = 64 * 1024

/**
 * Reads Prometheus text exposition in one pass. Never throws; bad lines are counted and skipped.
 * Fast because dcgm-exporter repeats the same label sets in the same order in every metric and every scrape: each
 * label set is parsed once and afterwards only compared with the one that followed its predecessor last time.
 */
export function parseExposition<L>(text: string, options: ExpositionOptions<L>): ExpositionSummary {
  const scan: Scan<L> = {
    text,
    options,
    name: '',
    sink: undefined,
    previous: options.labels.first,
    samples: 0,
    skipped: 0,
    malformed: 0,
  }
  let firstMalformed: number | undefined
  let line = 0
  let start = 0
  let end = text.indexOf('\n')
  let ended = false
  while (end !== -1 && !ended) {
    line += 1
    const found = readLine(scan, start, end)
    if (found === 'malformed') firstMalformed ??= line
    ended = found === 'end'
    start = end + 1
    end = text.indexOf('\n', start)
  }
  settle(options.labels)
  const rest = ended ? '' : text.slice(start, start + 16).trim()
  const { samples, skipped, malformed } = scan
  return { samples, skipped, malformed, firstMalformed, truncated: rest !== '' && rest !== '# EOF' }
}

type Scan<L> = {
  readonly text: string
  readonly options: ExpositionOptions<L>
  name: string
  sink: SampleSink<L> | undefined
  previous: LabelEntry<L>
  samples: number
  skipped: number
  malformed: number
}

const HASH = 35
const BRACE = 123
const CARRIAGE_RETURN = 13

function readLine<L>(scan: Scan<L>, start: number, lineEnd: number): 'read' | 'malformed' | 'end' {
  const { text } = scan
  const end = text.charCodeAt(lineEnd - 1) === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd
  const from = skipBlanks(text, start, end)
  if (from >= end) return 'read'
  if (text.charCodeAt(from) === HASH) return text.slice(from, end).trimEnd() === '# EOF' ? 'end' : 'read'
  if (end - from <= MAXIMUM_LINE && readSample(scan, from, end)) return 'read'
  scan.malformed += 1
  return 'malformed'
}

function readSample<L>(scan: Scan<L>, start: number, end: number): boolean {
  const nameEnd = readName(scan, start, end)
  if (nameEnd === undefined) return false
  if (scan.sink === undefined) {
    scan.skipped += 1
    return true
  }
  const labelStart = skipBlanks(scan.text, nameEnd, end)
  const labelled = scan.text.charCodeAt(labelStart) === BRACE
  const entry = labelled ? labelsAt(scan.options.labels, scan, { start: labelStart, end }) : scan.options.labels.none
  if (entry === undefined) return false
  if (labelled) scan.previous = entry
  return readValue(scan, entry, { start: labelStart + entry.text.length, end })
}

/** Finds where the name ends, and looks its sink up when it is another name than the line before. */
function readName<L>(scan: Scan<L>, start: number, end: number): number | undefined {
  const { text, name } = scan
  const likely = start + name.length
  if (name !== '' && isNameEnd(text.charCodeAt(likely)) && text.startsWith(name, start)) return likely
  let at = start
  while (at < end && !isNameEnd(text.charCodeAt(at))) at += 1
  const found = text.slice(start, at)
  if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(found)) return undefined
  scan.name = found
  scan.sink = scan.options.sinkFor(found)
  return at
}

/** The value, then perhaps a timestamp, then perhaps an OpenMetrics exemplar after `#`. */
function readValue<L>(scan: Scan<L>, entry: LabelEntry<L>, part: { start: number; end: number }): boolean {
  const { text, options, sink } = scan
  const start = skipBlanks(text, part.start, part.end)
  const stop = blankFrom(text, start, part.end)
  const value = readNumber(text, start, stop)
  if (value === undefined || sink === undefined) return false
  const rest = skipBlanks(text, stop, part.end)
  let at: number | undefined
  if (rest < part.end && text.charCodeAt(rest) !== HASH) {
    const stamp = readNumber(text, rest, blankFrom(text, rest, part.end))
    if (stamp === undefined || !Number.isFinite(stamp)) return false
    at = options.openMetrics === true ? stamp * 1000 : stamp
  }
  scan.samples += 1
  sink(entry.labels, value, at)
  return true
}

const isBlank = (code: number): boolean => code === 32 || code === 9
const isNameEnd = (code: number): boolean => code === BRACE || isBlank(code)

function skipBlanks(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isBlank(text.charCodeAt(at))) at += 1
  return at
}

function blankFrom(text: string, start: number, end: number): number {
  let at = start
  while (at < end && !isBlank(text.charCodeAt(at))) at += 1
  return at
}
