import { parseJson, type Json } from '../kube/json.ts'

/**
 * Reads the YAML that configuration files and `kubectl apply` bodies here use: block mappings and lists, flow lists and
 * mappings on one line, plain and quoted scalars. JSON is read as itself. Throws a sentence on anything else.
 */
export function parseYaml(text: string): Json {
  if (/^\s*[{[]/.test(text)) return parseJson(text)
  const lines = text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trimEnd())
    .filter((line) => line.trim() !== '' && line.trim() !== '---')
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }))
  const reader = { lines, at: 0 }
  const value = lines.length === 0 ? null : block(reader, lines[0]?.indent ?? 0)
  if (reader.at < lines.length) throw new Error(`YAML: unexpected indentation at "${lines[reader.at]?.text}"`)
  return value
}

type Line = { readonly indent: number; readonly text: string }
type Reader = { lines: Line[]; at: number }

function block(reader: Reader, indent: number): Json {
  return reader.lines[reader.at]?.text.startsWith('- ') === true || reader.lines[reader.at]?.text === '-'
    ? list(reader, indent)
    : mapping(reader, indent)
}

function list(reader: Reader, indent: number): Json {
  const items: Json[] = []
  for (let line = reader.lines[reader.at]; line?.indent === indent; line = reader.lines[reader.at]) {
    if (!line.text.startsWith('-')) break
    const rest = line.text.slice(1).trimStart()
    if (rest === '') {
      reader.at++
      items.push(nested(reader, indent))
    } else if (KEY.test(rest)) {
      // `- key: value` begins a mapping that sits two columns further in.
      const inner = indent + line.text.length - rest.length
      reader.lines[reader.at] = { indent: inner, text: rest }
      items.push(mapping(reader, inner))
    } else {
      reader.at++
      items.push(scalar(rest))
    }
  }
  return items
}

const KEY = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s'"{[][^:]*?)\s*:(?:\s+(.*))?$/

function mapping(reader: Reader, indent: number): Json {
  const result: Record<string, Json> = {}
  for (let line = reader.lines[reader.at]; line?.indent === indent; line = reader.lines[reader.at]) {
    const match = KEY.exec(line.text)
    if (match === null) throw new Error(`YAML: not understood: "${line.text}"`)
    reader.at++
    const [, key = '', value = ''] = match
    result[unquoted(key)] = value === '' ? nested(reader, indent) : scalar(value)
  }
  return result
}

function nested(reader: Reader, indent: number): Json {
  const next = reader.lines[reader.at]
  if (next === undefined) return null
  const inList = next.indent === indent && next.text.startsWith('-')
  return next.indent > indent || inList ? block(reader, next.indent) : null
}

function scalar(text: string): Json {
  if (/^[{[]/.test(text)) return flow(text)
  if (/^["']/.test(text)) return unquoted(text)
  if (text in WORDS) return WORDS[text] ?? null
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null, '~': null }

/** A key or scalar without its quotes, when it has any. */
function unquoted(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'")
  const parsed = text.startsWith('"') ? parseJson(text) : text
  return typeof parsed === 'string' ? parsed : text
}

/** A flow collection becomes JSON once its bare words are quoted. */
function flow(text: string): Json {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|'([^']*)'|[^\s,:{}[\]"']+/g, (word, single?: string) => {
    if (word.startsWith('"')) return word
    if (single !== undefined) return JSON.stringify(single)
    return /^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(word) ? word : JSON.stringify(word)
  })
  return parseJson(quoted)
}
