import { basename } from 'node:path'

import { errorText } from '@septet/domain/words'

import { exitCodeOf } from './exit-codes.ts'
import { verbLines } from './operations/operation-help.ts'
import { runOperation, type OperationNeeds } from './operations/run-operation.ts'
import { isSpoken, SPOKEN } from './operations/verbs.ts'
import { UsageError } from './options/command-options.ts'
import type { PlanSource } from './plan/plan-options.ts'
import { readText } from './read-text.ts'

type Printed = string | Uint8Array
type Command = {
  /** One line for `septet --help`. */
  readonly help: string
  /** What it prints. What a command needs is loaded when it is asked for: help does not wait for it. */
  readonly run: (args: readonly string[]) => Promise<Printed>
}

const { env: environment, stdout, stderr } = process
/** As it was called: kubectl runs `kubectl-septet` for `kubectl septet`. */
const program = basename(process.argv[1] ?? '') === 'kubectl-septet' ? 'kubectl septet' : 'septet'

const COMMANDS: Readonly<Record<string, Command>> = {
  report: {
    help: "show where a cluster's GPU capacity went",
    run: async (args) => {
      const { runReport } = await import('./run-report.ts')
      return runReport(args, { environment, progress: await progress() })
    },
  },
  prices: {
    help: 'read GPU prices from a cloud bill into the price book',
    run: async (args) => (await import('./bill/run-prices.ts')).runPrices(args, environment),
  },
  ask: { help: 'check whether a job would start, before you submit it', run: ask },
  check: {
    help: 'check a MIG, sharing or GPU Operator configuration against every node, before you apply it',
    run: check,
  },
  plan: {
    help: 'plan which GPUs to repartition and which pods to move, with a proof of how good the plan is',
    run: plan,
  },
  actions: {
    help: 'review, approve, undo and stop changes to a cluster',
    run: async (args) => {
      const { personToAsk, runActions } = await import('./actions/run-actions.ts')
      return runActions(args, { ...operationNeeds(args), confirm: personToAsk(process) })
    },
  },
  agent: {
    help: 'read the cluster that it runs in and send what it reads to a Septet elsewhere',
    run: async (args) => {
      const [{ runAgent }, { connectAgent }, { hostname }] = await Promise.all([
        import('./agent/run-agent.ts'),
        import('./connect-agent.ts'),
        import('node:os'),
      ])
      return runAgent(args, {
        environment,
        host: hostname(),
        version: await version(),
        connect: connectAgent,
        say: (sentence) => void stderr.write(`${new Date().toISOString()} ${sentence}\n`),
        stopping: stopped(),
      })
    },
  },
  mcp: {
    help: 'serve MCP on stdin and stdout, for agents',
    run: async (args) => (await import('./mcp/run-mcp.ts')).runMcp(args, environment),
  },
  'rotate-keys': {
    help: 'sign access tokens with a new key',
    run: (args) => operation(['rotate', 'signing-keys', ...args]),
  },
  doctor: {
    help: 'check a server, a cluster and its metrics, and say what to fix',
    run: doctor,
  },
  diagnostics: {
    help: 'save what tells what is wrong with a server, without secrets',
    run: async (args) => (await import('./run-diagnostics.ts')).runDiagnostics(args, environment),
  },
  backup: {
    help: 'copy everything that a Septet stores into one file, while it runs',
    run: async (args) => (await import('./connect-store.ts')).runBackup(args, environment),
  },
  restore: {
    help: 'put a backup into an empty database or a new data directory',
    run: async (args) => (await import('./connect-store.ts')).runRestore(args, environment),
  },
  completion: {
    help: 'print a completion script for bash, zsh or fish',
    run: async (args) => (await import('./completion/completion-script.ts')).completionScript(args, helps()),
  },
  login: {
    help: 'sign in to a Septet server',
    run: async (args) => {
      const [{ runLogin }, { askSecret }, { browserOpener }, { hostname }] = await Promise.all([
        import('./login/run-login.ts'),
        import('./login/ask-secret.ts'),
        import('./login/open-browser.ts'),
        import('node:os'),
      ])
      return runLogin(args, {
        environment,
        askSecret: askSecret(process),
        readInput: () => readText('-'),
        openBrowser: browserOpener(environment, process.platform),
        machine: hostname(),
        say: (words) => void stderr.write(words),
        enough: impatience(),
      })
    },
  },
  logout: {
    help: "sign out of a server and revoke this machine's token",
    run: async (args) => (await import('./login/run-login.ts')).runLogout(args, environment),
  },
}

async function main([command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined || command === 'help' || command === '--help' || command === '-h')
    return print(await help())
  if (command === '--version' || command === '-V') return print(`${await version()}\n`)
  const own = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (own !== undefined) return print(await own.run(args))
  if (!isSpoken(command)) throw new UsageError(await unknown(command))
  return print(await operation([command, ...args]))
}

/** With the command that was meant; all of them where none is near. */
async function unknown(command: string): Promise<string> {
  const { meantWords } = await import('@septet/domain/words')
  const near = meantWords(command, [...Object.keys(COMMANDS), ...SPOKEN.flatMap(({ verb, noun }) => [verb, noun])])
  const rest = near.length === 0 ? `\n\n${await help()}` : ` Did you mean ${[...new Set(near)].join(' or ')}?`
  return `Unknown command "${command}".${rest}`
}

const version = async (): Promise<string> =>
  (await import('../package.json', { with: { type: 'json' } })).default.version

async function help(): Promise<string> {
  const wide = Math.max(...Object.keys(COMMANDS).map((name) => name.length))
  return [
    'Find the GPU time you pay for and do not use.',
    '',
    `Commands (for flags, ${program} COMMAND --help; ${program} --version tells which this is):`,
    ...Object.entries(COMMANDS).map(([name, { help: line }]) => `  ${name.padEnd(wide)}  ${line}`),
    '',
    `Everything a Septet server can answer or do (for flags, ${program} VERB NOUN --help):`,
    ...verbLines(),
    '',
    'These use the server from --server URL, else SEPTET_SERVER, else the one you last signed in to; SEPTET_TOKEN',
    'overrides the saved token. Use -o json|yaml|csv in scripts, --watch to keep refreshing, and --explain to see the',
    'formula behind each figure.',
    '',
    'Exit status: 0 success, 1 failure, 2 usage error, 3 refused or not possible now, 4 not signed in, 5 unreachable,',
    '130 interrupted with Ctrl-C.',
    '',
  ].join('\n')
}

async function plan(args: readonly string[]): Promise<Printed> {
  const [{ runPlan }, ports] = await Promise.all([import('./plan/run-plan.ts'), sourcePorts()])
  return runPlan(args, { ...ports, enough: impatience })
}

/** `ask -f` asks about a job; `ask` with words is a question, and `ask copilot` an operation like all others. */
async function ask(args: readonly string[]): Promise<Printed> {
  if (args[0] === 'copilot' || args[0] === 'query') return operation(['ask', ...args])
  const end = args.findIndex((word) => word.startsWith('-'))
  const words = args.slice(0, end < 0 ? undefined : end)
  if (words.length > 0) return operation(['ask', 'copilot', words.join(' '), ...args.slice(words.length)])
  const [{ runAsk }, ports] = await Promise.all([import('./ask/run-ask.ts'), sourcePorts()])
  const { text, code } = await runAsk(args, ports)
  process.exitCode = code
  return text
}

async function check(args: readonly string[]): Promise<Printed> {
  const [{ runCheck }, { readConfigs }, ports] = await Promise.all([
    import('./ask/run-check.ts'),
    import('./connect.ts'),
    sourcePorts(),
  ])
  const { text, code } = await runCheck(args, { ...ports, readConfigs })
  process.exitCode = code
  return text
}

/** What a command needs that looks at a cluster as it is, without a Septet. */
async function sourcePorts() {
  const [{ readManifest, snapshotOnce }, { prometheusWords }, shown] = await Promise.all([
    import('./connect.ts'),
    import('@septet/domain'),
    progress(),
  ])
  const engine = prometheusWords((name) => environment[`SEPTET_PROMETHEUS_${name}`])
  const snapshotOf = (source: Omit<PlanSource, 'kind'>) => snapshotOnce({ ...source, engine, progress: shown })
  return { environment, progress: shown, snapshotOf, readManifest, readText }
}

async function doctor(args: readonly string[]): Promise<Printed> {
  const [{ runDoctor }, { examineOnce }] = await Promise.all([
    import('./doctor/run-doctor.ts'),
    import('./connect-doctor.ts'),
  ])
  const { text, failed } = await runDoctor(args, {
    environment,
    now: Date.now,
    version: await version(),
    examine: examineOnce,
    width: stdout.isTTY ? stdout.columns : undefined,
    colors: stdout.isTTY && stdout.hasColors() && (environment['NO_COLOR'] ?? '') === '',
  })
  if (failed) process.exitCode = 1
  return text
}

/** What each command says of itself, where its flags are named. */
const helps = (): ReadonlyMap<string, () => Promise<string>> =>
  new Map(
    Object.entries(COMMANDS).map(([name, { run }]) => [
      name,
      async () => (name === 'completion' ? '' : String(await run(['--help']))),
    ]),
  )

async function operation(words: readonly string[]): Promise<Printed> {
  return runOperation(words, operationNeeds(words))
}

/** Who watches ends it with Ctrl-C, after a whole answer. */
function operationNeeds(words: readonly string[]): OperationNeeds {
  const watching = words.some((word) => word === '-w' || word.startsWith('--watch'))
  const enough = watching ? impatience() : new AbortController().signal
  return { environment, program, readText, screen: { width: stdout.isTTY ? stdout.columns : undefined, print, enough } }
}

const progress = async () => (await import('./progress.ts')).openProgress(stderr)

/** Aborted by the first Ctrl-C; a second one ends the program. */
function impatience(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return controller.signal
}

/** Aborted when the one who runs it says so: a person, or what supervises it. */
function stopped(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

const print = (text: Printed): Promise<void> =>
  new Promise((resolve) => {
    stdout.write(text, () => resolve())
  })

// A reader that has seen enough (`septet report | head`) is not an error.
stdout.on('error', () => process.exit(0))

// Not awaited by this file: once it is built, what a command loads shares code with it, and would wait for it in turn.
void main(process.argv.slice(2)).catch((error: unknown) => {
  stderr.write(`septet: ${errorText(error)}\n`)
  process.exitCode = exitCodeOf(error)
})
