import { setTimeout as delay } from 'node:timers/promises'

import {
  type OutputOf,
  actingResume,
  actingStop,
  actionsApprove,
  actionsFiles,
  actionsGet,
  actionsList,
  actionsReject,
  actionsUndo,
  savingsList,
  shadowGet,
} from '@septet/contract'

import { askOperation } from '../served/ask-operation.ts'
import { writePlanFolder } from '../plan/plan-folder.ts'
import { UsageError } from '../options/command-options.ts'
import { ACTIONS_HELP, readActionsOptions, type ActionsOptions, type ActionsVerb } from './actions-options.ts'
import { formatSavings } from './format-savings.ts'
import { formatShadow } from './format-shadow.ts'
import { formatAction, formatActions, formatDecided, actionPlan, formatStops, undoLines } from './format-actions.ts'

export type ActionsNeeds = {
  /** An API token; undefined asks as a visitor. */
  readonly token: string | undefined
  /** Shows what would be done and resolves with whether the person says yes; undefined where nobody can be asked. */
  readonly confirm: ((shown: string, question: string) => Promise<boolean>) | undefined
  readonly now: () => number
}

/**
 * Lists, shows and decides on actions of a Septet that runs; resolves with what is to be printed. Throws a `UsageError`
 * for words that it does not understand, and an `Error` with the words of a refusal.
 */
export async function runActions(args: readonly string[], needs: ActionsNeeds): Promise<string> {
  if (args.includes('--help')) return `${ACTIONS_HELP}\n`
  const options = readActionsOptions(args)
  const { answer, text } = await COMMANDS[options.verb]({ ...options, ...needs })
  return options.json ? `${JSON.stringify(answer, undefined, 2)}\n` : text
}

type Asked = ActionsOptions & ActionsNeeds
type Told = { readonly answer: unknown; readonly text: string }

const COMMANDS: Readonly<Record<ActionsVerb, (asked: Asked) => Promise<Told>>> = {
  async list(asked) {
    const answer = await askOperation(actionsList, { ...ofCluster(asked), state: asked.open ? 'open' : 'all' }, asked)
    return { answer, text: formatActions(answer, asked.now()) }
  },
  async show(asked) {
    const answer = await askOperation(actionsGet, ofAction(asked), asked)
    return { answer, text: formatAction(answer, asked.now()) }
  },
  async files(asked) {
    const answer = await askOperation(actionsFiles, ofAction(asked), asked)
    writePlanFolder(asked.out, answer.files, false)
    return {
      answer,
      text: `${answer.files.length} files are in ${asked.out}: begin with PLAN.md, or with branch/README.md where git keeps the object.\n`,
    }
  },
  async savings(asked) {
    const answer = await askOperation(savingsList, { ...ofCluster(asked), ...periodOf(asked) }, asked)
    return { answer, text: formatSavings(answer) }
  },
  async shadow(asked) {
    const answer = await replayed(asked)
    return { answer, text: formatShadow(answer) }
  },
  approve,
  async reject(asked) {
    const answer = await askOperation(actionsReject, { ...ofAction(asked), reason: asked.reason }, asked)
    return { answer, text: formatDecided(answer) }
  },
  undo,
  async stop(asked) {
    const { everywhere, reason } = asked
    const answer = await askOperation(actingStop, { ...ofCluster(asked), everywhere, reason }, asked)
    return { answer, text: formatStops(answer.stops) }
  },
  async resume(asked) {
    const answer = await askOperation(actingResume, { ...ofCluster(asked), everywhere: asked.everywhere }, asked)
    return { answer, text: formatStops(answer.stops) }
  },
}

const LOOK_MS = 250

/** Asks until the replay is computed. */
async function replayed(asked: Asked): Promise<OutputOf<typeof shadowGet>> {
  const input = {
    ...ofCluster(asked),
    ...periodOf(asked),
    ...(asked.class === undefined ? {} : { class: asked.class }),
    ...(asked.days === undefined ? {} : { days: asked.days }),
  }
  let answer = await askOperation(shadowGet, input, asked)
  while (answer.state === 'computing') {
    await delay(LOOK_MS)
    answer = await askOperation(shadowGet, input, asked)
  }
  if (answer.state === 'failed') throw new Error(answer.problem ?? 'The past could not be replayed.')
  return answer
}

/** Approves the digest of what was shown, never of what it may have become since. */
async function approve(asked: Asked): Promise<Told> {
  const detail = await askOperation(actionsGet, ofAction(asked), asked)
  // What would fail is refused with its reason: there is nothing to ask for.
  if (!asked.yes && detail.outlook.refused === null) {
    if (asked.confirm === undefined) {
      throw new UsageError(
        'No terminal to ask for approval: review the plan with "septet actions show", then add --yes.',
      )
    }
    const said = await asked.confirm(actionPlan(detail), 'Approve exactly this?')
    if (!said) throw new Error('Not approved. Nothing was changed.')
  }
  const digest = asked.digest ?? detail.action.digest
  const answer = await askOperation(actionsApprove, { ...ofAction(asked), digest }, asked)
  return { answer, text: formatDecided(answer) }
}

/** Says which pods it stops, and where somebody can be asked, asks first. Scripts go on: an undo has to work in a hurry. */
async function undo(asked: Asked): Promise<Told> {
  const detail = await askOperation(actionsGet, ofAction(asked), asked)
  const shown = undoLines(detail).map((line) => `${line}\n`)
  const { stops } = detail.undo
  if (!asked.yes && asked.confirm !== undefined && detail.action.may.undo && (stops === null || stops.length > 0)) {
    const said = await asked.confirm(`${detail.action.title}\n\n${shown.join('')}`, 'Undo it?')
    if (!said) throw new Error('Not undone. Nothing was changed.')
  }
  const answer = await askOperation(actionsUndo, { ...ofAction(asked), reason: asked.reason }, asked)
  return { answer, text: `${shown.join('')}${formatDecided(answer)}` }
}

const ofCluster = ({ cluster }: Asked) => (cluster === undefined ? {} : { cluster })
const periodOf = ({ range }: Asked) => (range === undefined ? {} : { range })
const ofAction = (asked: Asked) => ({ ...ofCluster(asked), id: asked.id })
