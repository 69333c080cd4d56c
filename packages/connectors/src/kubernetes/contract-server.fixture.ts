import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { text as streamText } from 'node:stream/consumers'

/** An API server to hold readers and writers to. The token must allow making, changing and deleting namespaces, nodes and what is in them. */
export type ContractServer = {
  readonly url: string
  readonly token?: string | undefined
  /** PEM of the authority that signed the server's certificate; without it, certificates are not checked. */
  readonly authority?: string | undefined
  readonly close?: () => Promise<void>
}

export const toKubeconfig = ({ url, token, authority }: ContractServer): object => {
  const trust =
    authority === undefined
      ? { 'insecure-skip-tls-verify': true }
      : { 'certificate-authority-data': Buffer.from(authority).toString('base64') }
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'contract',
    contexts: [{ name: 'contract', context: { cluster: 'contract', user: 'contract' } }],
    clusters: [{ name: 'contract', cluster: { server: url, ...trust } }],
    users: [{ name: 'contract', user: token === undefined ? {} : { token } }],
  }
}

/** A plain request, apart from reader and writer, so that they check each other. */
export async function call(
  server: ContractServer,
  {
    method,
    target,
    body,
    headers: more = {},
  }: { method: string; target: string; body: unknown; headers?: Readonly<Record<string, string>> },
): Promise<{ status: number; body: unknown }> {
  const url = new URL(server.url.replace(/\/$/, '') + target)
  const secure = url.protocol === 'https:'
  const trust = server.authority === undefined ? { rejectUnauthorized: false } : { ca: server.authority }
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    accept: 'application/json',
    ...more,
    ...(server.token === undefined ? {} : { authorization: `Bearer ${server.token}` }),
    ...describing(method, sent),
  }
  const outgoing = (secure ? https : http).request(url, { method, headers, ...(secure ? trust : {}) })
  outgoing.end(sent)
  const [response] = (await once(outgoing, 'response')) as [http.IncomingMessage]
  const text = await streamText(response)
  return { status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) }
}

/** Of a DELETE Node does not say by itself where its body ends. */
const describing = (method: string, sent: string | undefined) =>
  sent !== undefined && {
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    'content-length': String(Buffer.byteLength(sent)),
  }
