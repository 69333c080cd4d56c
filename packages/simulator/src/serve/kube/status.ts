import type { Json, JsonObject } from './json.ts'
import { qualifiedKind, type Kind } from './kinds.ts'
import type { Access } from './access.ts'

type Cause = { readonly reason?: string; readonly message: string; readonly field?: string }
type Details = {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly causes?: readonly Cause[]
  readonly retryAfterSeconds?: number
}

/** An answer that is not a success, as the API server words it; some internal errors have no reason. */
export class Refused extends Error {
  readonly code: number
  readonly reason: string
  readonly details: Details | undefined
  constructor(code: number, reason: string, of: { message: string; details?: Details }) {
    super(of.message)
    this.name = 'ApiError'
    this.code = code
    this.reason = reason
    this.details = of.details
  }
}

/** The Status object for an error. */
export const failure = ({ code, reason, message, details }: Refused): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  ...(reason === '' ? {} : { reason }),
  ...(details === undefined ? {} : { details }),
  code,
})

export const success = (code: number, details?: Json): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  ...(details === undefined ? {} : { details }),
  code,
})

const detailsOf = (kind: Named, name: string): Details => ({
  name,
  ...(kind.group === '' ? {} : { group: kind.group }),
  kind: kind.plural,
})

export const unauthorized = (): Refused => new Refused(401, 'Unauthorized', { message: 'Unauthorized' })

type Named = Pick<Kind, 'group' | 'plural'>

export const forbidden = (user: string, kind: Named, { verb, group, resource, namespace, name }: Access): Refused => {
  const what = name === undefined ? qualifiedKind(kind) : `${qualifiedKind(kind)} "${name}"`
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const message = `${what} is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`
  const { name: _none, ...details } = detailsOf(kind, '')
  return new Refused(403, 'Forbidden', { message, details: name === undefined ? details : { ...details, name } })
}

export const forbiddenPath = (user: string, path: string): Refused =>
  new Refused(403, 'Forbidden', { message: `forbidden: User "${user}" cannot get path "${path}"`, details: {} })

export const notFound = (kind: Kind, name: string): Refused =>
  new Refused(404, 'NotFound', {
    message: `${qualifiedKind(kind)} "${name}" not found`,
    details: detailsOf(kind, name),
  })

/** A path that nothing is served at. */
export const noSuchPath = (): Refused =>
  new Refused(404, 'NotFound', { message: 'the server could not find the requested resource', details: {} })

/** Of an unknown group the server says so in plain text. */
export const noSuchGroup = (): Refused => new Refused(404, '', { message: '404 page not found' })

export const alreadyExists = (kind: Kind, name: string): Refused =>
  new Refused(409, 'AlreadyExists', {
    message: `${qualifiedKind(kind)} "${name}" already exists`,
    details: detailsOf(kind, name),
  })

export const modified = (kind: Kind, name: string): Refused =>
  conflictOf(kind, name, 'the object has been modified; please apply your changes to the latest version and try again')

export const conflictOf = (kind: Kind, name: string, why: string): Refused =>
  new Refused(409, 'Conflict', {
    message: `Operation cannot be fulfilled on ${qualifiedKind(kind)} "${name}": ${why}`,
    details: detailsOf(kind, name),
  })

export const invalid = (kind: Kind, name: string, causes: readonly Cause[]): Refused => {
  const said = causes.map(({ field, message }) => `${field}: ${message}`)
  const message = `${kind.kind}${kind.group === '' ? '' : `.${kind.group}`} "${name}" is invalid: ${said.length === 1 ? said[0] : `[${said.join(', ')}]`}`
  const details = { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.kind, causes }
  return new Refused(422, 'Invalid', { message, details })
}

/** `CreateOptions.meta.k8s.io "" is invalid: …` */
export function unsupportedDryRun(options: string, wishes: readonly string[]): Refused {
  const message = `Unsupported value: ${JSON.stringify(wishes)}: supported values: "All"`
  const causes = [{ reason: 'FieldValueNotSupported', message, field: 'dryRun' }]
  return new Refused(422, 'Invalid', {
    message: `${options}.meta.k8s.io "" is invalid: dryRun: ${message}`,
    details: { group: 'meta.k8s.io', kind: options, causes },
  })
}

/** What an API server would do and the demo does not: said, so that nobody takes a guess for an answer. */
export const notServed = (what: string): Refused =>
  new Refused(501, 'NotImplemented', { message: `the demo cluster does not ${what}` })

export const badRequest = (message: string): Refused => new Refused(400, 'BadRequest', { message })

export const expired = (message: string): Refused => new Refused(410, 'Expired', { message })
