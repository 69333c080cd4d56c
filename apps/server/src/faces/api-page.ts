import { AUDIT_EXPORT_PATH, EVENTS_PATH, OPERATIONS, type Operation } from '@septet/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { REFUSALS } from '../refusal.ts'
import { openApiDocument } from './openapi.ts'

/** `GET /api/openapi.json` and a page at `/api` for people, both made from the one list of operations. */
export function registerApiPage(server: FastifyInstance, version: string): void {
  const document = openApiDocument(version)
  server.get('/api/openapi.json', (_request, reply) => reply.send(document))
  server.get('/api', (request, reply) =>
    reply.type('text/html; charset=utf-8').send(apiPage(version, escape(request.host))),
  )
}

/** `host` is where the reader is asking, so that the examples can be pasted. */
function apiPage(version: string, host: string): string {
  const operations = Object.values<Operation>(OPERATIONS)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Septet</title>
<link rel="icon" href="/logo.svg">
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="home"><a href="/dashboard">septet</a></p>
<h1>API</h1>
<p class="lead">Every operation of Septet ${escape(version)}, made from the list that the dashboard, the command line and agents use.
<code>null</code> means not known; it is never 0. Errors are problem documents with <a href="#problems">a code</a> and what to do.
The machine-readable form is <a href="/api/openapi.json">openapi.json</a>.</p>
<p class="lead">Send <code>authorization: Bearer</code> with an API token, made under Settings or by <a href="#tokens.create">tokens.create</a>. Without one you are
a visitor, as far as visitors are let in: what viewers may read of the demo cluster and the sample data.</p>
<nav aria-label="Operations"><ul>${operations.map(({ name, title }) => `<li><a href="#${name}">${escape(title)}</a></li>`).join('')}<li><a href="#events">Follow what changes</a></li><li><a href="#audit.export">Export the audit log</a></li><li><a href="#problems">Problems</a></li></ul></nav>
${operations.map((operation) => operationSection(operation, host)).join('\n')}
<section id="events">
<h2>Follow what changes</h2>
<p class="route"><b>GET</b> <code>${EVENTS_PATH}</code></p>
<p>Server-sent events that name what changed (<code>analysis</code>, <code>inventory</code>, <code>connection</code>, <code>history</code>); ask again for the figures.
Send <code>Last-Event-ID</code> to resume; <code>reset</code> says that events were missed.</p>
<pre><code>curl -N ${host}${EVENTS_PATH}</code></pre>
</section>
<section id="audit.export">
<h2>Export the audit log</h2>
<p class="route"><b>GET</b> <code>${AUDIT_EXPORT_PATH}</code> <span>audit.export · role admin · read</span></p>
<p>All of it as newline-delimited JSON, oldest first. The last line, <code>{"chain": …}</code>, says whether every entry follows from the one before it.</p>
<pre><code>${escape(`curl ${TOKEN_HEADER} ${host}${AUDIT_EXPORT_PATH}`)}</code></pre>
</section>
<section id="problems">
<h2>Problems</h2>
<p>What is refused comes as <code>application/problem+json</code>: <code>detail</code> says what failed, <code>todo</code> what to do.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${Object.entries(REFUSALS)
    .map(
      ([code, { status, title }]) =>
        `<tr id="problem-${code}"><td><code>${code}</code></td><td>${status}</td><td>${escape(title)}</td></tr>`,
    )
    .join('')}</tbody></table>
</section>
</main>
</body>
</html>`
}

function operationSection(operation: Operation, host: string): string {
  const { name, title, description, http, role, effect, input } = operation
  const fields = Object.entries(z.toJSONSchema(input, { io: 'input' }).properties ?? {})
  const table =
    fields.length === 0
      ? ''
      : `<table><thead><tr><th>Input</th><th>Takes</th><th>Meaning</th></tr></thead><tbody>${fields
          .map(([field, schema]) => fieldRow(field, schema))
          .join('')}</tbody></table>`
  return `<section id="${name}">
<h2>${escape(title)}</h2>
<p class="route"><b>${http.method}</b> <code>${escape(http.path)}</code> <span>${name} · role ${role} · ${effect}</span></p>
<p>${escape(description)}</p>
${table}<pre><code>${escape(exampleOf(operation, host))}</code></pre>
</section>`
}

/** A command that works when pasted, but for the name of what it changes. */
function exampleOf({ http, input, role, effect }: Operation, host: string): string {
  const { method } = http
  const path = http.path.replaceAll(/:(\w+)/gu, 'my-$1')
  const forVisitors = role === 'viewer' && effect === 'read'
  if (method === 'GET') return `curl ${forVisitors ? '' : `${TOKEN_HEADER} `}${host}${path}`
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  const inBody = required.filter((field) => !http.path.includes(`:${field}`))
  const body = Object.fromEntries(inBody.map((field) => [field, exampleValue(FieldSchema.parse(properties[field]))]))
  const data = method === 'DELETE' ? '' : ` -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
  return `curl -X ${method} ${TOKEN_HEADER} ${host}${path}${data}`
}

const TOKEN_HEADER = '-H "authorization: Bearer $SEPTET_TOKEN"'

const exampleValue = ({ type, enum: [first] = [] }: z.output<typeof FieldSchema>): string | number =>
  first ?? (type === 'number' ? 2.5 : 'text')

function fieldRow(field: string, schema: unknown): string {
  const known = FieldSchema.parse(schema)
  const takes = known.enum?.join(' | ') ?? known.type ?? known.anyOf?.map(({ type }) => type).join(' | ') ?? 'text'
  const fallback = known.default === undefined ? '' : `, default ${String(known.default)}`
  return `<tr><td><code>${escape(field)}</code></td><td>${escape(takes + fallback)}</td><td>${escape(known.description ?? '')}</td></tr>`
}

const FieldSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  anyOf: z.array(z.looseObject({ type: z.string() })).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  description: z.string().optional(),
})

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const STYLE = `
:root{color-scheme:light dark;--paper:oklch(98.5% .004 95);--ink:oklch(21% .02 265);--soft:oklch(46% .02 265);--line:oklch(90% .006 265);--card:oklch(100% 0 0);--link:oklch(47% .17 255)}
@media (prefers-color-scheme:dark){:root{--paper:oklch(17% .015 265);--ink:oklch(94% .006 95);--soft:oklch(72% .012 265);--line:oklch(30% .015 265);--card:oklch(20.5% .015 265);--link:oklch(76% .12 255)}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Geist,system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:32px 20px 96px}
h1{font-size:40px;line-height:1.1;margin:8px 0 12px}h2{font-size:20px;margin:0 0 4px}
.home{margin:0;font-weight:600}.lead,.route span{color:var(--soft)}.route{margin:0 0 8px;font-size:14px;overflow-wrap:anywhere}.route span{display:block}
a{color:var(--link)}code,pre{font-family:"Geist Mono",ui-monospace,monospace;font-size:13px}
nav ul{columns:2;list-style:none;padding:0;margin:24px 0 40px}nav li{padding:3px 0}
section{border-top:1px solid var(--line);padding:28px 0}
table{width:100%;border-collapse:collapse;font-size:14px;margin:12px 0}th{text-align:left;font-weight:500;color:var(--soft)}
td,th{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:10px 12px;overflow-x:auto;margin:12px 0 0}
@media (max-width:560px){nav ul{columns:1}h1{font-size:28px}}
`
