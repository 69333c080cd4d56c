import { htmlEscape, type Operation } from '@septet/contract'
import { z } from 'zod'

import { exampleValue } from './example-value.ts'
import { codeBlock, tableBlock } from './html-text.ts'

/** An operation on the API page: its route, who may ask it about what, its input, and a command to paste. */
export function operationSection(operation: Operation, host: string): string {
  const { name, title, description, method, path, role, effect, reach, input } = operation
  const fields = Object.entries(z.toJSONSchema(input, { io: 'input' }).properties ?? {})
  const table =
    fields.length === 0
      ? ''
      : tableBlock(
          `Input of ${title}`,
          ['Input', 'Takes', 'Meaning'],
          fields.map(([field, schema]) => fieldCells(field, schema)),
        )
  return `<section id="${name}"><details>
<summary><h2>${htmlEscape(title)}</h2><span class="route"><b>${method}</b> <code>${htmlEscape(path)}</code></span></summary>
<dl class="terms"><div><dt>Name</dt><dd><code>${name}</code></dd></div><div><dt>Role</dt><dd>${role}</dd></div><div><dt>Effect</dt><dd>${EFFECT[effect]}</dd></div><div><dt>Reach</dt><dd>${REACH[reach]}</dd></div></dl>
<p>${htmlEscape(description)}</p>
${table}${codeBlock(exampleOf(operation, host))}
</details></section>`
}

/** How a command shows who asks. */
export const TOKEN_HEADER = '-H "authorization: Bearer $SEPTET_TOKEN"'

const EFFECT = { read: 'reads', propose: 'changes what Septet keeps', act: 'changes a cluster' } satisfies Record<
  Operation['effect'],
  string
>

const REACH = {
  namespaces: 'answers members of some namespaces with theirs alone',
  everyone: 'holds nothing of any namespace',
  cluster: 'whole clusters; not for members of some namespaces',
  installation: 'all of Septet; not for members of some namespaces, nor tokens of some clusters',
} satisfies Record<Operation['reach'], string>

/** A command that works when pasted, but for the name of what it changes. */
function exampleOf({ method, path: route, input, role, effect }: Operation, host: string): string {
  const path = route.replaceAll(/:(\w+)/gu, 'my-$1')
  const forVisitors = role === 'viewer' && effect === 'read'
  if (method === 'GET') return `curl ${forVisitors ? '' : `${TOKEN_HEADER} `}${host}${path}`
  const { properties = {}, required = [], $defs } = z.toJSONSchema(input, { io: 'input' })
  const inBody = required.filter((field) => !route.includes(`:${field}`))
  const body = Object.fromEntries(inBody.map((field) => [field, exampleValue(properties[field], $defs)]))
  const data = method === 'DELETE' ? '' : ` \\\n  -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
  return `curl -X ${method} ${TOKEN_HEADER} ${host}${path}${data}`
}

function fieldCells(field: string, schema: unknown): readonly string[] {
  const known = FieldSchema.parse(schema)
  const takes =
    known.enum?.join(' | ') ?? known.type ?? known.anyOf?.map(({ type }) => type ?? 'object').join(' | ') ?? 'text'
  const fallback = known.default === undefined ? '' : `, default ${defaultText(known.default)}`
  return [`<code>${htmlEscape(field)}</code>`, htmlEscape(takes + fallback), htmlEscape(known.description ?? '')]
}

const defaultText = (value: z.output<ReturnType<typeof z.json>>): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

const FieldSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  default: z.json().optional(),
  description: z.string().optional(),
})
