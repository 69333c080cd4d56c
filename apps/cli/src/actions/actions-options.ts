import { SHADOW_CLASSES, type ShadowClass } from '@septet/domain'
import { oneOf, urlOf, UsageError } from '../options/command-options.ts'
import { errorText } from '@septet/domain/words'
import { parseArgs } from 'node:util'

export const ACTIONS_HELP = `septet actions COMMAND --server URL [--cluster ID] [--json]

Review and decide on the changes Septet makes to a cluster. Uses SEPTET_TOKEN, else the token from septet login.

  list                  list actions awaiting approval, in progress or finished, and whether Septet may act
  show ID               show one action: its steps, how each is undone, what happened, every dry run and write to the cluster
  files ID --out DIR    write its directory: commands, patches, undo, and branch/ for git
  savings               show what each action was estimated to save and what was measured, bill and capacity separately
  shadow                show what Septet would have done on its own in recent days, freed, and got wrong; changes nothing
  approve ID            approve exactly the plan shown; asks for confirmation
  reject ID --reason R  reject one that has not changed anything yet
  undo ID --reason R    undo what was done, last step first; asks for confirmation if pods stop
  stop --reason R       kill switch: no more writes to the cluster
  resume                lift a stop; needs an admin

  --server URL    the server (default: SEPTET_SERVER, else the one you last signed in to)
  --cluster ID    the cluster (default: the first one you can see)
  --open          list: only actions that are not over
  --range R       savings, shadow: the period, like 30d, last-month or month@Europe/Berlin
  --days N        shadow: how many days back, 1 to 40 (default: 30)
  --class C       shadow: the class to run as auto: reclaim-idle (default), right-size, fewer-gpus or remove-node
  --reason R      why; shown with the action, and on every screen while acting is stopped
  --out DIR       files: the directory to write to; must be empty or new
  --everywhere    stop, resume: on every cluster
  --yes           approve, undo: skip the confirmation
  --digest D      approve: only if the plan has this digest, as "show" prints it
  --json          the server's answer as JSON

Exit status: 0 success, 1 failure or not approved, 2 usage error, 3 refused or not possible now, 4 not signed in,
5 unreachable.`

const VERBS = ['list', 'show', 'files', 'savings', 'shadow', 'approve', 'reject', 'undo', 'stop', 'resume'] as const
export type ActionsVerb = (typeof VERBS)[number]

export type ActionsOptions = {
  readonly verb: ActionsVerb
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
} as const satisfies Record<ActionsVerb, readonly ('id' | 'reason' | 'out')[]>

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

function refuseMissing(verb: ActionsVerb, { id, reason, out }: Given, more: number): void {
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
