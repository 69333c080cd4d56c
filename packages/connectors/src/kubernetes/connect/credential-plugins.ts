import { z } from 'zod'

/**
 * Programs that sign in to the clusters of a cloud, and what a kubeconfig that somebody handed in may run them with. The
 * name alone would not do: `aws` with other words reads and writes files.
 */
const PLUGINS: Readonly<Record<string, Plugin>> = {
  aws: {
    words: ['eks', 'get-token'],
    flags: ['--cluster-name', '--cluster-id', '--region', '--role-arn', '--output', '--profile'],
    variables: ['AWS_PROFILE', 'AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'],
  },
  'gke-gcloud-auth-plugin': { words: [], flags: [], variables: [] },
  kubelogin: {
    words: ['get-token'],
    flags: ['--environment', '--server-id', '--client-id', '--tenant-id', '--login', '-l', '-t'],
    variables: ['AAD_LOGIN_METHOD', 'AZURE_CLIENT_ID', 'AZURE_TENANT_ID'],
  },
}
type Plugin = {
  /** What it is told to do; these, and no others. */
  readonly words: readonly string[]
  /** Each with one value. */
  readonly flags: readonly string[]
  readonly variables: readonly string[]
}

const ExecSchema = z.object({
  apiVersion: z.string().startsWith('client.authentication.k8s.io/'),
  command: z.string(),
  args: z
    .array(z.string())
    .nullish()
    .transform((args) => args ?? []),
  env: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .nullish()
    .transform((env) => env ?? []),
})
/** A plugin as it is kept; all else that a kubeconfig says of it is left out. */
export type KeptPlugin = z.infer<typeof ExecSchema> & { readonly interactiveMode: 'Never' }

export type PluginJudged =
  | { readonly kind: 'kept'; readonly exec: KeptPlugin }
  | { readonly kind: 'refused'; readonly because: string }

/** Whether Septet may run what a handed-in kubeconfig signs in by, where an installation allows these plugins. */
export function judgePlugin(exec: unknown, allowed: readonly string[]): PluginJudged {
  const read = ExecSchema.safeParse(exec)
  if (!read.success) return refused('says not in full what to run')
  const { apiVersion, command, args, env } = read.data
  const plugin = Object.hasOwn(PLUGINS, command) && allowed.includes(command) ? PLUGINS[command] : undefined
  if (plugin === undefined) return refused(`runs "${command}", which this Septet is not set to allow`)
  const stray = strayWord(args, plugin)
  if (stray !== undefined) return refused(`runs "${command}" with "${stray}", which signing in does not need`)
  const variable = env.find(({ name, value }) => !plugin.variables.includes(name) || !isPlain(value))
  if (variable !== undefined) return refused(`sets ${variable.name} for "${command}", which signing in does not need`)
  return { kind: 'kept', exec: { apiVersion, command, args, env, interactiveMode: 'Never' } }
}

const refused = (because: string): PluginJudged => ({ kind: 'refused', because })

/** The first of the words that is none of the plugin's; flags may stand before and behind what it is told to do. */
function strayWord(args: readonly string[], { words, flags }: Plugin): string | undefined {
  const left = [...args]
  const missing = [...words]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word.startsWith('-')) {
      const [flag = '', value = left.shift() ?? ''] = word.split(/=(.*)/su)
      if (!flags.includes(flag)) return word
      if (!isPlain(value)) return `${flag} ${value}`
    } else if (word !== missing.shift()) return word
  }
  return missing.length === 0 ? undefined : `no ${missing.join(' ')}`
}

/** A name, an id or an ARN: no option, no path, and no address that a program would read a file by. */
const isPlain = (value: string): boolean => /^[\w+@][\w:/.@+=-]{0,255}$/u.test(value) && !/:\/\/|\.\./u.test(value)
