import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AUDIT_EXPORT_PATH,
  COPILOT_STREAM_PATH,
  EVENTS_PATH,
  OPERATIONS,
  REFUSALS,
  SSO_PATH,
  htmlEscape,
  type Operation,
} from '@septet/contract'
import type { FastifyInstance } from 'fastify'
import { operationSection, TOKEN_HEADER } from './api-operation.ts'
import { codeBlock, tableBlock } from './html-text.ts'
import { openApiDocument } from './openapi.ts'

/** What the auth service answers, for people. Clients of the protocol know it; a test asks the server for each. */
export const AUTH_ROUTES: readonly {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly meaning: string
}[] = [
  { method: 'POST', path: '/auth/v1/signup', meaning: 'Make an account with address and password' },
  {
    method: 'POST',
    path: '/auth/v1/token',
    meaning: 'Begin a session, or renew it: grant_type is password or refresh_token',
  },
  { method: 'GET', path: '/auth/v1/user', meaning: 'The account that is signed in' },
  { method: 'PUT', path: '/auth/v1/user', meaning: 'Change its password, address or data' },
  { method: 'GET', path: '/auth/v1/reauthenticate', meaning: 'Ask for a code before a password is changed' },
  { method: 'POST', path: '/auth/v1/logout', meaning: 'End this session, the others or all: scope' },
  { method: 'POST', path: '/auth/v1/recover', meaning: 'Ask for an email to choose a new password' },
  { method: 'POST', path: '/auth/v1/otp', meaning: 'Ask for an email with a code to sign in' },
  { method: 'POST', path: '/auth/v1/magiclink', meaning: 'The same, as older clients name it' },
  { method: 'POST', path: '/auth/v1/resend', meaning: 'Ask for the email again' },
  { method: 'POST', path: '/auth/v1/verify', meaning: 'Redeem a code, or the token_hash of a link' },
  { method: 'GET', path: '/auth/v1/verify', meaning: 'Lead to the page where a link is redeemed; redeems nothing' },
  { method: 'POST', path: '/auth/v1/factors', meaning: 'Begin a second factor (TOTP)' },
  { method: 'POST', path: '/auth/v1/factors/:factor/challenge', meaning: 'Ask to show it' },
  { method: 'POST', path: '/auth/v1/factors/:factor/verify', meaning: 'Show it' },
  { method: 'DELETE', path: '/auth/v1/factors/:factor', meaning: 'Remove it' },
  { method: 'GET', path: '/auth/v1/settings', meaning: 'Ways to sign in that are offered' },
  { method: 'GET', path: '/auth/v1/.well-known/jwks.json', meaning: 'Public keys that verify access tokens' },
  { method: 'GET', path: '/auth/v1/health', meaning: 'Name and version of the service' },
  { method: 'POST', path: '/auth/v1/invite', meaning: 'Invite an address (admins)' },
  { method: 'POST', path: '/auth/v1/admin/generate_link', meaning: 'Make a link to hand on (admins)' },
  { method: 'GET', path: '/auth/v1/admin/users', meaning: 'Accounts, page by page (admins)' },
  { method: 'POST', path: '/auth/v1/admin/users', meaning: 'Create an account for someone (admins)' },
  { method: 'GET', path: '/auth/v1/admin/audit', meaning: 'What happened to accounts (admins)' },
]

export type ApiPageNeeds = {
  readonly version: string
  /** Folder of the built web app, whose page `/api` is filled here. */
  readonly dist: string
}

/** `GET /api/openapi.json` and a page at `/api` for people, both made from the one list of operations. */
export function registerApiPage(server: FastifyInstance, { version, dist }: ApiPageNeeds): void {
  const document = openApiDocument(version)
  server.get('/api/openapi.json', (_request, reply) => reply.send(document))
  server.get('/api', async (request, reply) => {
    const frame = await readFile(join(dist, 'api/index.html'), 'utf8').catch(() => PLAIN_FRAME)
    const [before = '', after = ''] = frame.split(PLACE)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${before}${apiContent(version, request.host)}${after}`)
  })
}

/** What the site's page `/api` holds where the content goes. */
const PLACE = '<div data-filled-by="server"></div>'

/** While nothing is built, the API can be read all the same. */
const PLAIN_FRAME = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>API · Septet</title>
<style>:root{color-scheme:light dark}body{max-width:52rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}pre,.scrolls{overflow-x:auto}td,th{text-align:left;vertical-align:top;padding:.25rem 1rem .25rem 0}</style>
</head><body><main><h1>API</h1>${PLACE}</main></body></html>`

/** `host` is where the reader is asking, so that the examples can be pasted. */
function apiContent(version: string, host: string): string {
  const operations = Object.values<Operation>(OPERATIONS)
  const sections = [
    introduction(version, host),
    ...operations.map((operation) => operationSection(operation, host)),
    copilotStreamSection(host),
    eventsSection(host),
    auditExportSection(host),
    authSection(),
    problemsSection(),
  ]
  return `<div class="beside">${navigation(operations)}<div class="prose">${sections.join('\n')}</div></div>`
}

function navigation(operations: readonly Operation[]): string {
  const links = [
    ['authorize', 'Authorize'],
    ...operations.map(({ name, title }) => [name, title]),
    ['events', 'Follow what changes'],
    ['audit.export', 'Export the audit log'],
    ['auth-service', 'Auth service'],
    ['problems', 'Problems'],
  ]
  const items = links.map(([id = '', title = '']) => `<li><a href="#${id}">${htmlEscape(title)}</a></li>`)
  return `<nav aria-label="Operations"><ul>${items.join('')}</ul></nav>`
}

const introduction = (
  version: string,
  host: string,
): string => `<p>Every operation in Septet ${htmlEscape(version)}. The dashboard, the command line, and agents use the same list.
<code>null</code> means unknown, never 0. For machines, there is <a href="/api/openapi.json">openapi.json</a>.</p>
<section id="authorize">
<h2>Authorize</h2>
<p>Create an API token under Settings → API tokens, or with <a href="#tokens.create">tokens.create</a>, and send it with each request:</p>
${codeBlock(`export SEPTET_TOKEN=spt_...\ncurl ${TOKEN_HEADER} ${host}/api/v1/me`)}
<p>Roles build on each other: viewer, operator, admin. Without a token you’re a visitor and can read the demo cluster and the sample data, if visitors are allowed. An access token from signing in at <a href="/auth">/auth</a> works too. Cookies are ignored.</p>
</section>`

const copilotStreamSection = (host: string): string => `<section id="copilot.stream">
<h2>Ask the co-pilot, sentence by sentence</h2>
<p class="route"><b>POST</b> <code>${COPILOT_STREAM_PATH}</code></p>
<p>Takes what <code>copilot.ask</code> takes and answers with server-sent events: <code>sentence</code> for each sentence once it is checked, then <code>answer</code> with the whole answer.
Close the connection to end the question.</p>
${codeBlock(`curl -N ${TOKEN_HEADER} ${host}${COPILOT_STREAM_PATH} \\\n  -H 'content-type: application/json' -d '{"question":"Which GPUs are idle?"}'`)}
</section>`

const eventsSection = (host: string): string => `<section id="events">
<h2>Follow what changes</h2>
<p class="route"><b>GET</b> <code>${EVENTS_PATH}</code></p>
<p>Server-sent events name what changed (<code>analysis</code>, <code>inventory</code>, <code>connection</code>, <code>history</code>); then fetch the figures again.
Send <code>Last-Event-ID</code> to resume, or <code>?ago=</code> with milliseconds to hear also what changed since you first asked; <code>reset</code> means you missed some.</p>
${codeBlock(`curl -N ${host}${EVENTS_PATH}`)}
</section>`

const auditExportSection = (host: string): string => `<section id="audit.export">
<h2>Export the audit log</h2>
<p class="route"><b>GET</b> <code>${AUDIT_EXPORT_PATH}</code></p>
<dl class="terms"><div><dt>Name</dt><dd><code>audit.export</code></dd></div><div><dt>Role</dt><dd>admin</dd></div><div><dt>Effect</dt><dd>reads</dd></div></dl>
<p>The whole log as newline-delimited JSON, oldest first. The last line, <code>{"chain": …}</code>, says whether the hash chain is intact.</p>
${codeBlock(`curl ${TOKEN_HEADER} ${host}${AUDIT_EXPORT_PATH}`)}
</section>`

const authSection = (): string => `<section id="auth-service">
<h2>Auth service</h2>
<p>When Septet manages accounts itself, it speaks the Supabase Auth protocol under <code>/auth/v1</code>, so <code>@supabase/supabase-js</code> can sign people in. Its errors are <code>{"code", "error_code", "msg"}</code>. With a hosted project, these routes are off. With a sign-in provider, people also come in at <code>GET ${SSO_PATH}/start</code>, and the provider ends their sessions at <code>POST ${SSO_PATH}/logout</code> (OpenID Connect Back-Channel Logout).</p>
${tableBlock(
  'Routes of the auth service',
  ['Route', 'For'],
  AUTH_ROUTES.map(({ method, path, meaning }) => [
    `<b>${method}</b> <code>${htmlEscape(path)}</code>`,
    htmlEscape(meaning),
  ]),
)}
</section>`

const problemsSection = (): string => `<section id="problems">
<h2>Problems</h2>
<p>Errors come as <code>application/problem+json</code>: <code>code</code> is one of these, <code>detail</code> says what failed, and <code>todo</code> says what to do. 401 means sign in; 403 names the permission you’re missing.</p>
${tableBlock(
  'Problems',
  ['Status', 'Code', 'Meaning'],
  Object.entries(REFUSALS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, title }]) => [
      String(status),
      `<code id="problem-${code}">${code}</code>`,
      htmlEscape(title),
    ]),
)}
</section>`
