import { z } from 'zod'
import { readYaml } from '../read-yaml.ts'
import { ConnectError, sayError } from './connect-error.ts'
import { judgePlugin, type KeptPlugin } from './credential-plugins.ts'
import { entriesOf, type Kubeconfig } from './kubeconfig.ts'

/** One way into a cluster that a kubeconfig offers. */
export type OfferedContext = {
  readonly name: string
  /** Address of the API server; empty where the kubeconfig does not say. */
  readonly server: string
  /** How it signs in: `token`, `client certificate`, `user name and password`, `no credentials`. */
  readonly signsInBy: string
  readonly isCurrent: boolean
  /** Why it cannot be used when the kubeconfig is handed in; undefined when it can. */
  readonly refused: string | undefined
}

/**
 * The contexts of a kubeconfig that somebody handed in as text, where these credential plugins are allowed. Throws a
 * `ConnectError` for what is none.
 */
export function offeredContexts(text: string, plugins: readonly string[] = []): readonly OfferedContext[] {
  const file = parse(text)
  return file.contexts.map((entry) => {
    const parts = partsOf(file, entry)
    return {
      name: entry.name,
      server: parts.cluster?.server ?? '',
      signsInBy: waysIn(parts.user),
      isCurrent: entry.name === file['current-context'],
      refused: refusalOf(parts, plugins),
    }
  })
}

/**
 * One context of a kubeconfig that somebody handed in, and nothing else of it, as text to keep. Throws a `ConnectError`
 * for one that would run a program which is not allowed, or read a file, where Septet runs.
 */
export const keptKubeconfig = (text: string, chosen: Chosen = {}): string => JSON.stringify(keptSettings(text, chosen))

/** Which context is meant, the current one when left out, and the credential plugins that are allowed, none when left out. */
export type Chosen = { readonly context?: string | undefined; readonly plugins?: readonly string[] | undefined }

function keptSettings(text: string, { context: wanted, plugins = [] }: Chosen): Record<string, unknown> {
  const file = parse(text)
  const name = wanted ?? file['current-context'] ?? ''
  const entry = file.contexts.find((each) => each.name === name)
  if (entry === undefined) throw noContext(file, name)
  const parts = partsOf(file, entry)
  const refused = refusalOf(parts, plugins)
  if (refused !== undefined) throw new ConnectError('kubeconfig-invalid', refused)
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'chosen',
    contexts: [{ name: 'chosen', context: { cluster: 'chosen', user: 'chosen' } }],
    clusters: [{ name: 'chosen', cluster: only(parts.cluster ?? {}, CLUSTER_KEPT) }],
    users: [{ name: 'chosen', user: { ...only(parts.user ?? {}, USER_KEPT), ...keptPlugin(parts.user, plugins) } }],
  }
}

function noContext(file: File, name: string): ConnectError {
  const known = file.contexts.map((each) => each.name)
  const offered = known.length === 0 ? 'it has no contexts at all' : `it has: ${known.join(', ')}`
  const what = name === '' ? 'names no current context; choose one' : `has no context "${name}"`
  return new ConnectError('context-missing', `The kubeconfig ${what} (${offered}).`)
}

/** The same, entry by entry. */
export function readHandedKubeconfig(text: string, chosen: Chosen = {}): Kubeconfig {
  const kept = keptSettings(text, chosen)
  try {
    return entriesOf(kept)
  } catch (error) {
    throw new ConnectError('kubeconfig-invalid', `The kubeconfig cannot be used: ${sayError(error)}.`, { cause: error })
  }
}

const Cluster = z.looseObject({ server: z.string().optional() })
const User = z.looseObject({})
type User = z.infer<typeof User>

const FileSchema = z.object({
  'current-context': z.string().nullish(),
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string().optional() }) }),
  ),
  clusters: z.array(z.object({ name: z.string(), cluster: Cluster })),
  users: z
    .array(z.object({ name: z.string(), user: User.nullish().transform((user) => user ?? {}) }))
    .nullish()
    .transform((users) => users ?? []),
})

type File = z.infer<typeof FileSchema>

/** What is inline and is sent; everything else of a context is left out. */
const CLUSTER_KEPT = [
  'server',
  'certificate-authority-data',
  'insecure-skip-tls-verify',
  'tls-server-name',
  'proxy-url',
]
const USER_KEPT = ['token', 'client-certificate-data', 'client-key-data', 'username', 'password', 'as', 'as-groups']

/** What would run a program, or read a file, on the machine of Septet. */
const RUNS = ['exec', 'auth-provider']
const READS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile']

function parse(text: string): File {
  let content: unknown
  try {
    content = readYaml(text)
  } catch (error) {
    throw new ConnectError('kubeconfig-invalid', `The kubeconfig is not valid YAML: ${sayError(error)}.`, {
      cause: error,
    })
  }
  const file = FileSchema.safeParse(content)
  if (file.success) return file.data
  const where = file.error.issues[0]?.path.join('.')
  throw new ConnectError(
    'kubeconfig-invalid',
    where === undefined || where === ''
      ? 'This is not a kubeconfig: it holds no settings.'
      : `This is not a whole kubeconfig: look at "${where}".`,
  )
}

type Parts = {
  readonly name: string
  readonly cluster: z.infer<typeof Cluster> | undefined
  readonly user: User | undefined
  readonly wantsUser: boolean
}

const partsOf = (file: File, { name, context }: File['contexts'][number]): Parts => ({
  name,
  cluster: file.clusters.find((each) => each.name === context.cluster)?.cluster,
  user: file.users.find((each) => each.name === context.user)?.user,
  wantsUser: context.user !== undefined,
})

/** Of a plugin exactly what was judged. */
function keptPlugin(user: User | undefined, plugins: readonly string[]): { readonly exec?: KeptPlugin } {
  if (!isSet(user?.['exec'])) return {}
  const judged = judgePlugin(user?.['exec'], plugins)
  return judged.kind === 'kept' ? { exec: judged.exec } : {}
}

function refusalOf({ name, cluster, user, wantsUser }: Parts, plugins: readonly string[]): string | undefined {
  if (cluster === undefined) return `Context "${name}" refers to a cluster that the kubeconfig does not define.`
  if (user === undefined && wantsUser) return `Context "${name}" refers to a user that the kubeconfig does not define.`
  const set = new Set(
    Object.entries({ ...user, ...cluster }).flatMap(([field, value]) => (isSet(value) ? [field] : [])),
  )
  const runs = RUNS.find((field) => set.has(field))
  const refused = runs === undefined ? undefined : runRefusal(name, user, plugins)
  if (refused !== undefined) return refused
  const reads = READS.find((field) => set.has(field))
  if (reads === undefined) return undefined
  return `Context "${name}" names a file by "${reads}", which would be read on the server of Septet; that is refused. "kubectl config view --raw --flatten --minify" writes a kubeconfig with everything inside.`
}

const INSTEAD = 'Use the token of a service account instead'

/** Undefined where it is a plugin that is allowed. */
function runRefusal(context: string, user: User | undefined, plugins: readonly string[]): string | undefined {
  const { exec, 'auth-provider': provider } = user ?? {}
  if (!isSet(exec))
    return `Context "${context}" signs in by the auth provider ${nameIn(provider, 'name')}, whose token cannot be renewed here; that is refused. ${INSTEAD}.`
  if (plugins.length === 0)
    return `Context "${context}" signs in by "exec", which would run the program ${nameIn(exec, 'command')} on the server of Septet; that is refused. ${INSTEAD}, or set SEPTET_KUBECONFIG where Septet runs.`
  const judged = judgePlugin(exec, plugins)
  if (judged.kind === 'kept') return undefined
  return `Context "${context}" ${judged.because}: it would be run on the server of Septet. Allowed are ${plugins.join(', ')} with what signing in needs (SEPTET_CREDENTIAL_PLUGINS). ${INSTEAD}.`
}

const nameIn = (entry: unknown, field: string): string =>
  JSON.stringify(Object.entries(Object(entry)).find(([name]) => name === field)?.[1] ?? '')

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

function waysIn(user: User | undefined): string {
  if (user === undefined) return 'no credentials'
  const found = RUNS.find((field) => isSet(user[field]))
  if (found !== undefined) return found === 'exec' ? 'credential plugin' : 'auth provider'
  if (isSet(user['token']) || isSet(user['tokenFile'])) return 'token'
  if (isSet(user['client-certificate-data']) || isSet(user['client-certificate'])) return 'client certificate'
  return isSet(user['username']) ? 'user name and password' : 'no credentials'
}

const only = (from: Readonly<Record<string, unknown>>, kept: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(kept.flatMap((field) => (isSet(from[field]) ? [[field, from[field]]] : [])))
