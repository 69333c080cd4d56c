import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { User } from '@kubernetes/client-node'
import { KubeConfig } from '@kubernetes/client-node'
import { z } from 'zod'
import { readYaml } from '../read-yaml.ts'
import { ConnectError, sayError } from './connect-error.ts'

/** Reads and checks a kubeconfig file; paths in it are taken relative to it. Throws a `ConnectError`. */
export function readKubeconfig(path: string): KubeConfig {
  const content = settingsOf(readText(path), path)
  const config = new KubeConfig()
  try {
    // The library has a YAML reader of its own; JSON is read by both alike.
    config.loadFromString(JSON.stringify(content))
  } catch (error) {
    throw new ConnectError('kubeconfig-invalid', `The kubeconfig ${path} cannot be used: ${sayError(error)}.`, {
      cause: error,
    })
  }
  config.makePathsAbsolute(dirname(resolve(path)))
  return config
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

function settingsOf(text: string, path: string): object {
  if (text.trim() === '') {
    throw new ConnectError('kubeconfig-invalid', `The kubeconfig ${path} is empty; it must name a cluster and a user.`)
  }
  let content: unknown
  try {
    content = readYaml(text)
  } catch (error) {
    throw new ConnectError('kubeconfig-invalid', `The kubeconfig ${path} is not valid YAML: ${sayError(error)}.`, {
      cause: error,
    })
  }
  const settings = z.looseObject({}).safeParse(content)
  if (settings.success) return settings.data
  throw new ConnectError('kubeconfig-invalid', `The kubeconfig ${path} is not a kubeconfig: it holds no settings.`)
}
