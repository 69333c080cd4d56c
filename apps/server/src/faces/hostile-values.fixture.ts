import { exampleValue } from './example-value.ts'

/** As many octets as a body may have, with room for the names around a value. */
const MOST = 252 * 1024

const filled = (of: (at: number) => string, most = MOST): string => {
  let text = ''
  for (let at = 0; text.length < most - 100; at += 1) text += of(at)
  return text
}
const listed = (many: number, of: (at: number) => string): string =>
  Array.from({ length: many }, (_, at) => of(at)).join()

/** Texts that cost some readers more than their length says: what regular expressions go back over, odd characters. */
const ANYWHERE: Readonly<Record<string, string>> = {
  long: 'x'.repeat(MOST),
  spaces: `x${' '.repeat(MOST)}x`,
  digits: '9'.repeat(MOST),
  dashes: `a${'-'.repeat(MOST)}!`,
  labels: `${'a.'.repeat(MOST / 2)}!`,
  slashes: '/'.repeat(MOST),
  addresses: filled(() => 'a@b.'),
  brackets: '['.repeat(MOST),
  quotes: '"'.repeat(MOST / 2),
  lines: `x${'\n'.repeat(MOST / 2 - 1)}x`,
  backslashes: '\\'.repeat(MOST / 2),
  controls: '\u202E'.repeat(MOST / 3),
  nulls: '\u0000'.repeat(MOST / 6),
  combining: `e${'\u0301'.repeat(MOST / 2)}`,
  surrogates: '\uD800'.repeat(MOST / 6),
  base64: 'QUFB'.repeat(MOST / 4),
  link: `http://${'a.'.repeat(MOST / 4)}`,
  'short digits': '9'.repeat(60),
  'short words': 'all of it '.repeat(190),
}

const POD =
  'kind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]\n'
const YAML = 199_000

/** What is read as YAML or CSV, in fields that take a whole file. */
const FILES: Readonly<Record<string, string>> = {
  'YAML of many keys': filled((at) => `name-of-a-label-${at}: 1\n`, YAML),
  'YAML of many keys on one line': `{${filled((at) => `k${at}: 1,`, YAML)}}`,
  'YAML of many items': filled(() => '- x\n', YAML),
  'YAML that nests': '['.repeat(YAML),
  'YAML of closing brackets': ']'.repeat(YAML),
  'YAML of flaws': filled(() => 'a: b: c\n', YAML),
  'YAML of quotes': filled(() => '"\n', YAML / 2),
  'YAML of anchors': filled((at) => `- &a${at} x\n`, YAML),
  'YAML that merges': `- &a {${listed(90, (at) => `k${at}: 1`)}}\n${filled(() => '- {<<: *a}\n', YAML)}`,
  'YAML of few values, merged': `- &a {${listed(90, (at) => `k${at}: 1`)}}\n${'- {<<: *a}\n'.repeat(100)}`,
  'YAML of aliases that grow': `a0: &a0 [x]\n${Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]\n`).join('')}`,
  'YAML of many documents': filled(() => '---\n', YAML),
  'YAML of a text in lines': `a: >\n${filled(() => ' x\n', YAML * 0.7)}`,
  'YAML of empty lines in quotes': `a: "${filled(() => '\n\n', YAML / 2)}"`,
  'a manifest of many labels': `${POD}  nodeSelector:\n${filled((at) => `    label-of-node-${at}: v\n`, YAML * 0.9)}`,
  'a manifest of many tolerations': `${POD}  tolerations:\n${filled((at) => `  - {key: k${at}}\n`, YAML / 3)}`,
  'a manifest of many containers': `kind: Pod\nspec:\n  containers:\n${filled((at) => `  - {name: c${at}, resources: {limits: {nvidia.com/gpu: 1}}}\n`, YAML / 2)}`,
  'a manifest of many jobs': Array.from(
    { length: 45 },
    (_, at) => `---\n${POD.replaceAll('gpu: 1', `gpu: ${at + 1}`)}`,
  ).join(''),
  'a kubeconfig of many contexts': `current-context: c1\nclusters: []\ncontexts:\n${filled((at) => `- {name: c${at}, context: {cluster: c${at}, user: u}}\n`, YAML * 0.4)}`,
  'a kubeconfig of much that is missing': `contexts: [${filled((at) => `{name: c${at}, context: {cluster: x, user: x}},`, YAML / 3)}]\nclusters: [${filled((at) => `{name: d${at}, cluster: {}},`, YAML / 5)}]\nusers: [${filled((at) => `{name: d${at}},`, YAML / 8)}]\n`,
  'CSV of many columns': listed(50_000, (at) => `c${at % 100}`),
}

/** Bodies of JSON that fit no operation. */
export const BODIES: Readonly<Record<string, string>> = {
  'many keys': `{${listed(25_000, (at) => `"k${at}":1`)}}`,
  'numbers as keys': `{${listed(20_000, (at) => `"${at * 7919}":1`)}}`,
  'one key many times': `{${'"a":1,'.repeat(40_000)}"a":1}`,
  'deep lists': `{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}`,
  'deep objects': `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
  'a long list': `[${'1,'.repeat(120_000)}1]`,
  'many objects': `[${'{},'.repeat(80_000)}{}]`,
  'as many objects as may be': `[${'{},'.repeat(4_900)}{}]`,
  'as many keys as may be': `{${listed(9_990, (at) => `"key-${at}":1`)}}`,
  'large numbers': `[${'1e308,'.repeat(40_000)}1]`,
  prototypes: `{${'"__proto__":{},'.repeat(15_000)}"constructor":{"prototype":{}}}`,
  escapes: `"${String.raw`\u0061`.repeat(40_000)}"`,
  'a flaw': `{"a":${'"x",'.repeat(60_000)}`,
}

type Schema = Readonly<Record<string, unknown>>
type Named = Readonly<Record<string, Schema>>
/** Somewhere in an input, and how an input is made that holds something there. */
type Place = { readonly at: string; readonly schema: Schema; readonly put: (value: unknown) => unknown }

/** Everything hostile, put wherever a JSON schema takes anything, with the name of both. */
export function* hostileInputs({ $defs = {}, ...schema }: Schema & { $defs?: Named }): Generator<[string, unknown]> {
  for (const place of placesIn(schema, $defs))
    for (const [what, value] of hostileFor(place.schema, $defs)) yield [`${place.at} ${what}`, place.put(value)]
}

function* placesIn(schema: Schema, named: Named): Generator<Place> {
  const { $ref: reference, anyOf = [], oneOf = anyOf } = schema
  if (typeof reference === 'string') yield* placesIn(named[reference.slice('#/$defs/'.length)] ?? {}, named)
  for (const each of oneOf as readonly Schema[]) yield* placesIn(each, named)
  yield { at: '', schema, put: (value) => value }
  for (const around of partsOf(schema, named))
    for (const { at, put, ...place } of placesIn(around.schema, named))
      yield { ...place, at: `${around.at}${at}`, put: (value) => around.put(put(value)) }
}

function* partsOf(schema: Schema, named: Named): Generator<Place> {
  const { type, properties = {}, items, additionalProperties: others } = schema
  if (isSchema(items)) yield { at: '[]', schema: items, put: (value) => [value] }
  const example = type === 'object' ? Object(exampleValue(schema, named)) : {}
  for (const [name, each] of Object.entries(properties as Named))
    yield { at: `.${name}`, schema: each, put: (value) => ({ ...example, [name]: value }) }
  if (isSchema(others)) yield { at: '.*', schema: others, put: (value) => ({ ...example, key: value }) }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field that takes this many characters is for a file. */
const OF_FILE = 100_000

function* hostileFor(schema: Schema, named: Named): Generator<[string, unknown]> {
  const { type, maxLength = 0, items, maxItems = Infinity } = schema
  if (type === 'string') {
    yield* Object.entries(ANYWHERE)
    if (Number(maxLength) >= OF_FILE) yield* Object.entries(FILES)
  } else if (type === 'number' || type === 'integer') {
    for (const value of [1e308, -1e308, 5e-324, 2 ** 53]) yield [String(value), value]
  } else if (type === 'array') {
    const example = exampleValue(items, named)
    const values = JSON.stringify(example).split(/[,{[]/u).length
    const many = Math.floor(9900 / values)
    const most = Math.min(many, Number(maxItems))
    yield ['as many as may be', Array.from({ length: most }, (_, at) => differing(example, at))]
    yield ['many', Array.from({ length: many }, () => example)]
    yield ['many that differ', Array.from({ length: many }, (_, at) => differing(example, at))]
    yield ['many that are wrong', Array.from({ length: 4900 }, () => ({}))]
  } else if (type === 'object')
    yield ['many keys', Object.fromEntries(Array.from({ length: 9900 }, (_, at) => [`key-${at}`, 1]))]
}

function differing(value: unknown, at: number): unknown {
  if (typeof value === 'string') return `${value}${at}`
  if (!isSchema(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, differing(each, at)]))
}
