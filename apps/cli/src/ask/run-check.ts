import { checkConfigs, type ConfigCheck, type ReadConfigs } from '@septet/domain'
import { agree, errorText, firstFew, grouped, plural } from '@septet/domain/words'
import { UsageError } from '../options/command-options.ts'
import { foldText } from '../output/fold-text.ts'
import { readSource } from '../plan/read-source.ts'
import { formatStarts } from './format-starts.ts'
import { answered, readAskOptions, type AskedQuestion, type AskPorts } from './run-ask.ts'

const CHECK_HELP = `septet check -f FILE (--cluster NAME | --kubeconfig FILE | --snapshot FILE)

Checks a configuration against every node of a cluster before anyone applies it: what the tool or the API refuses, what
does not fit a board, which nodes take it or have it already, and which pods stop or stand in the way. Changes nothing.

Takes nvidia-mig-parted files, configurations of NVIDIA's device plugin (time-slicing, MPS), each plain or in a ConfigMap,
and ClusterPolicies of the GPU Operator. Of a job's manifest it says what septet ask says.

  -f, --file FILE        the file, YAML or JSON; - for standard input
  --namespace NAME       namespace for jobs that name none (default: default)
  --cluster NAME         a kubeconfig context, or "demo"
  --kubeconfig FILE      default: KUBECONFIG
  --prometheus URL       a Prometheus-compatible API with dcgm-exporter metrics, to tell who holds which device
  --snapshot FILE        a snapshot from septet plan --save-snapshot
  --output text          or json

It reads the cluster itself and asks no Septet server. A configuration must fit each node that uses it; one that no node
uses yet must fit one node at least, unless it is for boards that are not here.

Exit status: 0 if all of it fits, 3 if something does not or is unknown, 1 or 2 after an error.`

/** What checking needs from outside; `main.ts` joins it. */
export type CheckPorts = AskPorts & { readonly readConfigs: ReadConfigs }

export async function runCheck(args: readonly string[], ports: CheckPorts): Promise<AskedQuestion> {
  if (args.includes('--help')) return { text: `${CHECK_HELP}\n`, code: 0 }
  const { source, ...options } = readAskOptions(args, ports.environment)
  if (source.kind === 'server')
    throw new UsageError('septet check reads the cluster itself: name --cluster, --kubeconfig or --snapshot.')
  const given = await ports.readText(options.file)
  const files = configsOf(given, ports.readConfigs)
  // Jobs may stand beside configurations; alone they are refused as `ask` refuses them.
  const hasJobs = files.length === 0 || ports.readManifest(given, options.namespace).kind === 'read'
  const snapshot = await readSource(source, ports)
  ports.progress.end()
  const checks = checkConfigs(snapshot, files)
  const jobs = hasJobs
    ? await answered(given, { ...options, source }, { ...ports, snapshotOf: async () => snapshot })
    : []
  const fits = checks.every((check) => check.fits) && jobs.every(({ verdict }) => verdict === 'now')
  const told = [...checks.map(formatCheck), ...(jobs.length > 0 ? [formatStarts(jobs)] : [])].join('\n')
  const json = `${JSON.stringify({ fits, configurations: checks, jobs }, undefined, 2)}\n`
  return { text: options.format === 'json' ? json : told, code: fits ? 0 : 3 }
}

function configsOf(text: string, readConfigs: ReadConfigs): ReturnType<ReadConfigs> {
  try {
    return readConfigs(text)
  } catch (error) {
    throw new Error(`The file cannot be read as YAML: ${errorText(error)}.`, { cause: error })
  }
}

/** So many names of configurations that nobody uses are told node by node. */
const FEW = 3

/** The check as text: what is wrong, then each configuration. */
function formatCheck({ title, fits, errors, doubts, configs, elsewhere }: ConfigCheck): string {
  const wide = Math.max(...configs.map(({ name }) => name.length))
  const lines = [
    `${title}: ${fits ? 'fits' : 'does not fit as things are, or is unknown'}`,
    ...listOf('Refused, ignored or impossible:', errors),
    ...listOf('Taken, but hardly meant:', doubts),
    ...configs.flatMap((config) =>
      config.meantFor.length > 0 || configs.length <= FEW ? nodeLines(config) : fold(briefLine(config, wide)),
    ),
    ...(elsewhere.length === 0
      ? []
      : [`For boards that are not here: ${plural(elsewhere.length, 'name')} (${firstFew(elsewhere, 3)})`]),
  ]
  return `${lines.join('\n')}\n`
}

const fold = (line: string, indent = 4): readonly string[] => foldText(line, 80, indent)

const listOf = (head: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [head, ...lines.flatMap((line) => fold(`  ${line}`))]

const WORDS = { already: 'already', fits: 'fits', 'in-use': 'in use', misfit: 'no', unknown: 'unknown' } as const

type Config = ConfigCheck['configs'][number]

/** Nodes of other boards are of interest where the configuration is meant for them, or fits nowhere. */
function ownNodes({ meantFor, nodes }: Config): Config['nodes'] {
  const own = nodes.filter(({ foreign, nodes: names }) => !foreign || names.some((name) => meantFor.includes(name)))
  return own.length > 0 ? own : nodes
}

function nodeLines(config: Config): readonly string[] {
  const { name, meantFor, because } = config
  const own = ownNodes(config)
  const uses = meantFor.length === 0 ? 'no node uses it yet' : `for ${plural(meantFor.length, 'node')}`
  return [
    name === '' ? `For ${plural(meantFor.length, 'node')}:` : `${name} (${uses})`,
    ...config.nodes.flatMap((group) => (group.verdict === 'unknown' || own.includes(group) ? groupLines(group) : [])),
    ...because.flatMap((words) => fold(`  ${words}`)),
  ]
}

/** What is set under one another begins behind the verdict. */
const groupLines = ({ verdict, nodes, model, because, pods }: Config['nodes'][number]): readonly string[] =>
  [
    `  ${WORDS[verdict].padEnd(8)}  ${firstFew(nodes, 3)} (${model})${because.length > 0 ? `: ${because.join('; ')}` : ''}`,
    ...(pods.length > 0 ? [`            ${agree(pods.length, 'pod')}: ${firstFew(pods, 3)}`] : []),
  ].flatMap((line) => fold(line, 12))

/** One line for a name of many: on how many nodes it is what. */
function briefLine(config: Config, wide: number): string {
  const own = ownNodes(config)
  const counts = Map.groupBy(
    own.flatMap(({ verdict, nodes }) => nodes.map(() => verdict)),
    (verdict) => verdict,
  )
  const told = [...counts].map(([verdict, all]) => `${WORDS[verdict]} ${grouped(all.length)}`)
  const isTaken = counts.has('fits') || counts.has('already') || counts.has('in-use')
  const why = isTaken ? undefined : own[0]?.because[0]
  return `${config.name.padEnd(wide)}  ${told.join(', ')}${why === undefined ? '' : `: ${why}`}`
}
