import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import {
  newClusters,
  newContexts,
  newUsers,
  type Cluster,
  type Context,
  type User,
} from '@kubernetes/client-node/dist/config_types.js'
import { z } from 'zod'
import { OWN_FILE, readYaml } from '../read-yaml.ts'
import { ConnectError, sayError } from './connect-error.ts'

/** What a kubeconfig holds, entry by entry. */
export type Kubeconfig = {
  readonly clusters: readonly Cluster[]
  readonly users: readonly User[]
  readonly contexts: readonly Context[]
  readonly currentContext: unknown
}

/** Reads and checks a kubeconfig file; paths in it are taken relative to it. Throws a `ConnectError`. */
export function readKubeconfig(path: string): Kubeconfig {
  const content = settingsOf(readText(path), path)
  const from = dirname(resolve(path))
  let config: Kubeconfig
  try {
    config = entriesOf(content, from)
  } catch (error) {
    throw new ConnectError('kubeconfig-invalid', `The kubeconfig ${path} cannot be used: ${sayError(error)}.`, {
      cause: error,
    })
  }
  return {
    ...config,
    clusters: config.clusters.map((cluster) => ({ ...cluster, ...absolute(cluster, ['caFile'], from) })),
    users: config.users.map((user) => ({ ...user, ...absolute(user, ['certFile', 'keyFile'], from) })),
  }
}

/** Throws the library's error for an entry that lacks what it must have. A token's file is relative to the folder. */
export function entriesOf(content: Readonly<Record<string, unknown>>, folder = '/'): Kubeconfig {
  const tokenFiles = TokenFilesSchema.parse(content['users'])
  return {
    clusters: newClusters(content['clusters']),
    // The library knows `token-file`, and not what kubectl reads.
    users: newUsers(content['users']).map((user, order) => {
      const file = tokenFiles[order]
      if (file === undefined) return user
      return { ...user, authProvider: { name: 'tokenFile', config: { tokenFile: resolve(folder, file) } } }
    }),
    contexts: newContexts(content['contexts']),
    currentContext: content['current-context'],
  }
}

const TokenFilesSchema = z
  .array(
    z
      .object({ user: z.object({ tokenFile: z.string() }) })
      .transform(({ user }) => user.tokenFile)
      .or(z.unknown().transform(() => undefined)),
  )
  .catch([])

const absolute = <Name extends string>(
  entry: Readonly<Partial<Record<Name, string>>>,
  names: readonly Name[],
  from: string,
): Partial<Record<Name, string>> => {
  const found: Partial<Record<Name, string>> = {}
  for (const name of names) if (typeof entry[name] === 'string') found[name] = resolve(from, entry[name])
  return found
}

/**
 * Adds what credential plugins expect of their caller, as client-go does: KUBERNETES_EXEC_INFO (kubelogin and others
 * read the API version from it), and a command with a slash taken relative to the kubeconfig.
 */
export function withPluginInformation(user: User, folder: string): User {
  const plugin = ExecSchema.safeParse(user.exec)
  if (!plugin.success) return user
  const { command, apiVersion, env } = plugin.data
  const information = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } }
  return {
    ...user,
    exec: {
      ...plugin.data,
      command: command.includes('/') && !isAbsolute(command) ? resolve(folder, command) : command,
      env: [...(env ?? []), { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(information) }],
    },
  }
}

const ExecSchema = z.looseObject({
  command: z.string(),
  apiVersion: z.string().default('client.authentication.k8s.io/v1'),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
})

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
}

/** Why a file cannot be read, in words. */
export function sayFileError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? sayError(error)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConnectError(
      'kubeconfig-missing',
      `Cannot read the kubeconfig ${path}: ${sayFileError(error)}; give the path of one that exists.`,
      { cause: error },
    )
  }
}

function settingsOf(text: string, path: string): Record<string, unknown> {
  if (text.trim() === '') {
    throw new ConnectError('kubeconfig-invalid', `The kubeconfig ${path} is empty; it must name a cluster and a user.`)
  }
  let content: unknown
  try {
    content = readYaml(text, OWN_FILE)
  } catch (error) {
    throw new ConnectError('kubeconfig-invalid', `The kubeconfig ${path} is not valid YAML: ${sayError(error)}.`, {
      cause: error,
    })
  }
  const settings = z.looseObject({}).safeParse(content)
  if (settings.success) return settings.data
  throw new ConnectError('kubeconfig-invalid', `The kubeconfig ${path} is not a kubeconfig: it holds no settings.`)
}
