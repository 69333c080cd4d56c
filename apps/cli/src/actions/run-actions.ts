import { createInterface } from 'node:readline/promises'
import type { ReadStream, WriteStream } from 'node:tty'

import { actionsApprove, actionsFiles, actionsGet, actionsUndo, type OutputOf } from '@septet/contract'
import type { OperationKey } from '@septet/contract/routes'
import { estimateWords } from '@septet/contract/estimate-words'
import { duration, plural } from '@septet/domain/words'

import { plainOperation } from '../operations/plain-operations.ts'
import { runOperation, type OperationNeeds } from '../operations/run-operation.ts'
import { oneOf, parseWords, UsageError } from '../options/command-options.ts'
import { formatAnswer } from '../output/format-answer.ts'
import { writePlanFolder } from '../plan/plan-folder.ts'
import { askOperation } from '../served/ask-operation.ts'
import { serverToAsk, type ServerToAsk } from '../served/server-to-ask.ts'

const ACTIONS_HELP = `septet actions COMMAND [--server URL] [--cluster ID]

Review and decide on the changes Septet makes to a cluster. Uses SEPTET_TOKEN, else the token from septet login.

  list                  actions awaiting approval, in progress or finished; --open: only those that are not over
  show ID               one action: its steps, how each is undone, what happened, every dry run and write to the cluster
  files ID --out DIR    write its directory: commands, patches, undo, and branch/ for git
  savings               what each action was estimated to save and what was measured; --range 30d
  shadow                what Septet would have done on its own in recent days; --days, --range, --class
  approve ID            approve exactly the plan shown; asks for confirmation
  reject ID --reason R  reject one that has not changed anything yet
  undo ID --reason R    undo what was done, last step first; asks for confirmation if pods stop
  stop --reason R       kill switch: no more writes to the cluster; --everywhere: to every cluster
  resume                lift a stop; needs an admin; --everywhere

  --yes           approve, undo: skip the confirmation
  --digest D      approve: only if the plan has this digest, as "show" prints it
  --json          the server's answer as JSON

Every command but files, approve and undo is one of septet's verbs under another name: its --help has all of its flags.`

const MEASURED = ['realized.usd.value', 'realized.gpuHours.value']

/** Commands that ask one operation, under another name, with the columns that a person looks for. */
const SAME_AS: Readonly<Record<string, { readonly words: readonly string[]; readonly columns?: readonly string[] }>> = {
  list: {
    words: ['list', 'actions'],
    columns: ['id', 'state', 'shortfall', 'since', 'displaced', 'cause', 'title'],
  },
  show: { words: ['get', 'action'] },
  savings: {
    words: ['list', 'savings'],
    columns: ['action', 'state', 'effect', 'estimate.usdPerMonth', ...MEASURED, 'because', 'title'],
  },
  shadow: { words: ['get', 'shadow'] },
  reject: { words: ['reject', 'action'] },
  stop: { words: ['stop', 'acting'] },
  resume: { words: ['resume', 'acting'] },
}
const SHORT: Readonly<Record<string, readonly string[]>> = { '--open': ['--state', 'open'], '--json': ['-o', 'json'] }

/** Shows something and resolves with whether a person says yes. */
export type Confirm = (shown: string, question: string) => Promise<boolean>
/** `confirm` is undefined where nobody can be asked. */
export type ActionsNeeds = OperationNeeds & { readonly confirm: Confirm | undefined }

/**
 * Lists, shows and decides on actions of a Septet that runs; resolves with what is to be printed. Throws a `UsageError`
 * for words that it does not understand, and an `Error` with the words of a refusal.
 */
export async function runActions([command, ...words]: readonly string[], needs: ActionsNeeds): Promise<string> {
  if (command === '--help') return `${ACTIONS_HELP}\n`
  if (command === undefined) throw new UsageError(`A command is missing.\n\n${ACTIONS_HELP}`)
  const same = SAME_AS[command]
  if (same !== undefined) {
    const said = words.flatMap((word) => SHORT[word] ?? [word])
    return runOperation([...same.words, ...said], { ...needs, ...(same.columns && { columns: same.columns }) })
  }
  const decision = DECISIONS[oneOf('COMMAND', command, ['files', 'approve', 'undo', ...Object.keys(SAME_AS)])]
  if (decision === undefined || words.includes('--help')) return `${ACTIONS_HELP}\n`
  return decision(askedFor(command, words, needs))
}

const DECISIONS: Readonly<Record<string, (asked: Asked) => Promise<string>>> = { files, approve, undo }

function askedFor(command: string, words: readonly string[], { environment, confirm }: ActionsNeeds): Asked {
  const { values, positionals } = parseWords(words, OPTIONS)
  const [id, ...more] = positionals
  if (id === undefined || more.length > 0) throw new UsageError(`${command} takes the id of one action.`)
  const { server, cluster, ...flags } = values
  const of = { id, ...(cluster === undefined ? {} : { cluster }) }
  return { ...flags, of, whom: serverToAsk(server, environment), confirm }
}

const OPTIONS = {
  server: { type: 'string' },
  cluster: { type: 'string' },
  reason: { type: 'string', default: '' },
  out: { type: 'string', default: '' },
  digest: { type: 'string' },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

type Asked = Omit<ReturnType<typeof parseWords<typeof OPTIONS>>['values'], 'server' | 'cluster'> & {
  readonly of: { readonly id: string; readonly cluster?: string }
  readonly whom: ServerToAsk
  readonly confirm: Confirm | undefined
}

async function files({ of, whom, out, json }: Asked): Promise<string> {
  if (out === '') throw new UsageError('files needs a directory: --out DIR.')
  const answer = await askOperation(actionsFiles, of, whom)
  writePlanFolder(out, answer.files, false)
  if (json) return printed('actionsFiles', answer, json)
  return `${answer.files.length} files are in ${out}: begin with PLAN.md, or with branch/README.md where git keeps the object.\n`
}

/** Approves the digest of what was shown, never of what it may have become since. */
async function approve({ of, whom, confirm, yes, json, digest }: Asked): Promise<string> {
  const detail = await askOperation(actionsGet, of, whom)
  // What would fail is refused with its reason: there is nothing to ask for.
  if (!yes && detail.outlook.refused === null) {
    if (confirm === undefined) {
      throw new UsageError(
        'No terminal to ask for approval: review the plan with "septet actions show", then add --yes.',
      )
    }
    const said = await confirm(actionPlan(detail), 'Approve exactly this?')
    if (!said) throw new Error('Not approved. Nothing was changed.')
  }
  const answer = await askOperation(actionsApprove, { ...of, digest: digest ?? detail.action.digest }, whom)
  return printed('actionsApprove', answer, json)
}

/** Says which pods it stops, and where somebody can be asked, asks first. Scripts go on: an undo has to work in a hurry. */
async function undo({ of, whom, confirm, yes, json, reason }: Asked): Promise<string> {
  if (reason.trim() === '') throw new UsageError('undo needs a --reason.')
  const detail = await askOperation(actionsGet, of, whom)
  const shown = undoLines(detail).map((line) => `${line}\n`)
  const { stops } = detail.undo
  if (!yes && confirm !== undefined && detail.action.may.undo && (stops === null || stops.length > 0)) {
    const said = await confirm(`${detail.action.title}\n\n${shown.join('')}`, 'Undo it?')
    if (!said) throw new Error('Not undone. Nothing was changed.')
  }
  const answer = await askOperation(actionsUndo, { ...of, reason }, whom)
  return `${json ? '' : shown.join('')}${await printed('actionsUndo', answer, json)}`
}

const printed = (key: OperationKey, answer: unknown, json: boolean): Promise<string> =>
  formatAnswer(plainOperation(key), answer, {
    output: json ? 'json' : 'table',
    chosen: undefined,
    sortedBy: undefined,
    width: Number.POSITIVE_INFINITY,
  })

type Detail = OutputOf<typeof actionsGet>

/** What an approval allows, to be read before it is given. */
const actionPlan = ({ action, action: { cause, proposedBy }, outlook: { waits }, steps }: Detail): string =>
  [
    action.title,
    '',
    ...(waits === null ? [] : [`Once approved, it waits. ${waits}`]),
    `Digest  ${action.digest}`,
    `Stops   ${named(action.displaced)}`,
    `Nodes   ${action.nodes.length === 0 ? 'none' : action.nodes.join(', ')}`,
    ...(cause.kind === 'advice'
      ? [`Saving  ${estimateWords(cause.saving)}`]
      : [`Asked   ${cause.wants}, by ${proposedBy}`, `Costs   ${cause.costs}`]),
    '',
    'Steps',
    ...steps.flatMap(({ number, title, seconds, undo: back }) => [
      `  ${number}. ${title}`,
      `     takes ${duration(seconds.low)} to ${duration(seconds.high)}, ${seconds.source}`,
      `     rollback: ${back.length === 0 ? 'none' : back.join('; ')}`,
    ]),
    '',
  ].join('\n')

/** What an undo would stop now, or has stopped. */
const undoLines = ({ action, undo: { stops, unknown, stopped } }: Detail): string[] => [
  ...(stops !== null ? [`Undo would stop ${named(stops)}.`] : []),
  ...(stops === null && action.may.undo
    ? [`It is unknown which pods an undo would stop. ${unknown ?? ''}`.trim()]
    : []),
  ...(stopped.length === 0 ? [] : [`The undo stopped ${named(stopped)}.`]),
]

const named = (pods: readonly string[]): string =>
  pods.length === 0 ? 'no pods' : `${plural(pods.length, 'pod')}: ${pods.join(', ')}`

type Terminal = { readonly stdin: ReadStream; readonly stderr: WriteStream }

/**
 * Asks anyone who sits at the terminal; undefined where nobody does. What is shown goes to the error stream: what is
 * printed may be piped on.
 */
export function personToAsk({ stdin, stderr }: Terminal): Confirm | undefined {
  if (!stdin.isTTY) return undefined
  return async (shown, question) => {
    const line = createInterface({ input: stdin, output: stderr })
    try {
      stderr.write(`${shown}\n`)
      const said = await line.question(`${question} [y/N] `)
      return /^y(?:es)?$/iu.test(said.trim())
    } finally {
      line.close()
    }
  }
}
