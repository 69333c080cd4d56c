import { SHADOW_CLASSES, type ShadowClass } from '@septet/domain'
import { oneOf, urlOf, UsageError } from '../options/command-options.ts'
import { errorText } from '@septet/domain/words'
import { parseArgs } from 'node:util'

export const ACTIONS_HELP = `septet actions COMMAND --server URL [--cluster ID] [--json]

What Septet changes in a cluster, and the decisions on it. Asks a Septet that runs, with an API token in SEPTET_TOKEN.

  list                  what waits for a decision, runs, or is over, and whether Septet may act
  show ID               one action: its steps, the way back of each, what happened, every write to the cluster
  files ID --out DIR    write its directory: commands, patches, the way back, and branch/ for git
  savings               what each action promised, and what was measured after it; bill and capacity apart
  shadow                what Septet would have done by itself in the last days, freed, and got wrong; changes nothing
  approve ID            allow exactly the plan that is shown; asks first
  reject ID --reason R  end one that has changed nothing yet
  undo ID --reason R    take back what was done, the last step first
  stop --reason R       the kill switch: from now on nothing is written to the cluster
  resume                lift a stop; needs an admin

  --server URL    the Septet to ask; SEPTET_SERVER, or where you signed in with septet login, when left out
  --cluster ID    the cluster; the first one that you may see when left out
  --open          list: only those that are not over
  --range R       savings, shadow: of which period, like 30d, last-month or month@Europe/Berlin
  --days N        shadow: how many days back, 1 to 40; 30 when left out
  --class C       shadow: what is taken to be on auto: reclaim-idle (when left out), right-size, fewer-gpus or remove-node
  --reason R      why; everybody who looks at the action, or at any screen while acting is stopped, reads it
  --out DIR       files: the directory to write; empty or not there yet
  --everywhere    stop, resume: on every cluster
  --yes           approve: do not ask
  --digest D      approve: only the plan of this digest, as "show" has it
  --json          the server's answer as JSON

Exit status: 0 done, 1 failed or not approved, 2 not understood, 3 refused or not now, 4 not signed in, 5 not reachable.`

const VERBS = ['list', 'show', 'files', 'savings', 'shadow', 'approve', 'reject', 'undo', 'stop', 'resume'] as const
export type Verb = (typeof VERBS)[number]

export type ActionsOptions = {
  readonly verb: Verb
  readonly server: URL
  readonly cluster: string | undefined
  /** Of the action; empty for commands that are about none. */
  readonly id: string
  /** Empty for commands that need none. */
  readonly reason: string
  /** Where files go; empty for commands that write none. */
  readonly out: string
  readonly open: boolean
  /** Of the ledger or a replay; undefined: all of the ledger, or so many days. */
  readonly range: string | undefined
  /** Of a replay; undefined: as the server has it. */
  readonly days: string | undefined
  /** What is replayed; undefined: as the server has it. */
  readonly class: ShadowClass | undefined
  readonly everywhere: boolean
  readonly yes: boolean
  /** Of the plan that is meant; undefined: of the one that is shown. */
  readonly digest: string | undefined
  readonly json: boolean
}

/** What each command needs beside the server. */
const NEEDS = {
  list: [],
  show: ['id'],
  files: ['id', 'out'],
  savings: [],
  shadow: [],
  approve: ['id'],
  reject: ['id', 'reason'],
  undo: ['id', 'reason'],
  stop: ['reason'],
  resume: [],
} as const satisfies Record<Verb, readonly ('id' | 'reason' | 'out')[]>

/** Reads the words of `septet actions`. Throws a `UsageError`. */
export function readActionsOptions(args: readonly string[]): ActionsOptions {
  const { values, positionals } = parsed(args)
  const [command, id = '', ...more] = positionals
  if (command === undefined) throw new UsageError(`A command is missing.\n\n${ACTIONS_HELP}`)
  const verb = oneOf('COMMAND', command, VERBS)
  const { server, reason = '', out = '', ...flags } = values
  if (server === undefined) throw new UsageError('--server is missing, like --server https://septet.example.com.')
  refuseMissing(verb, { id, reason, out }, more.length)
  return {
    verb,
    server: new URL(urlOf('--server', server)),
    id,
    reason,
    out,
    ...flags,
    cluster: flags.cluster,
    digest: flags.digest,
    range: flags.range,
    days: daysOf(flags.days),
    class: flags.class === undefined ? undefined : oneOf('--class', flags.class, SHADOW_CLASSES),
  }
}

type Given = Pick<ActionsOptions, 'id' | 'reason' | 'out'>

function refuseMissing(verb: Verb, { id, reason, out }: Given, more: number): void {
  const needs: readonly string[] = NEEDS[verb]
  if (needs.includes('id') !== (id !== '') || more > 0) {
    throw new UsageError(needs.includes('id') ? `${verb} takes the id of one action.` : `${verb} takes no id.`)
  }
  if (needs.includes('reason') && reason.trim() === '') throw new UsageError(`${verb} needs a --reason.`)
  if (needs.includes('out') !== (out !== '')) {
    throw new UsageError(needs.includes('out') ? `${verb} needs a directory: --out DIR.` : `${verb} writes no files.`)
  }
}

function daysOf(text: string | undefined): string | undefined {
  const days = Number(text ?? 1)
  if (Number.isInteger(days) && days >= 1 && days <= 40) return text
  throw new UsageError(`--days is "${text}" but must be a whole number from 1 to 40.`)
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(errorText(error))
  }
}

const OPTIONS = {
  server: { type: 'string' },
  cluster: { type: 'string' },
  reason: { type: 'string' },
  out: { type: 'string' },
  days: { type: 'string' },
  class: { type: 'string' },
  range: { type: 'string' },
  open: { type: 'boolean', default: false },
  everywhere: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  digest: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const
