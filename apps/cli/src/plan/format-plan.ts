import { plural } from '@septet/domain/words'
import type { MadePlan } from '@septet/contract'

import { textTable } from '../report/table.ts'
import type { Written } from './plan-folder.ts'

/** The plan for people: steps, then what is said of it, then what moves, starts and waits, and what it leaves. */
export const formatPlan = (plan: MadePlan, written: Written | undefined): string =>
  [
    ...(plan.title === '' ? [] : [headOf(plan), '']),
    ...(plan.steps.length === 0 ? [] : [...stepTable(plan.steps), '']),
    ...plan.says.map(({ text }) => text),
    // Who waits once evicted for a set time is said among the sentences.
    ...section('Room kept for displaced pods', moveLines(plan)),
    ...section(
      'Starts',
      plan.starts.map(({ workload, by }) => `${workload}: ${STARTS_BY[by]}`),
    ),
    ...section(
      'Still waits',
      plan.waits.map(({ workload, because }) => `${workload}: ${because}`),
    ),
    ...section('Left as it is', leftOutLines(plan)),
    ...section('Cannot be written as files', plan.noFiles),
    ...writtenLines(plan, written),
    '',
  ].join('\n')

const headOf = ({ title, source, madeFrom, id, digest }: MadePlan): string =>
  [
    title,
    `${source.name}${madeFrom === null ? '' : `, as of ${madeFrom}`}`,
    ...(digest === null ? [] : [id, `digest ${digest}`]),
  ].join(' · ')

const STARTS_BY = {
  room: 'there is room already',
  recut: 'after repartitioning unallocated GPUs',
  moves: 'where others move away',
} as const

type Line = {
  readonly number: string
  readonly due: string
  readonly what: string
  readonly who: string
  readonly long: string
  readonly back: string
}

/** The steps of a plan, with when each is due where they have times of their own. */
function stepTable(steps: MadePlan['steps']): readonly string[] {
  const lines = steps.flatMap((step): readonly Line[] => {
    const { number, title, notBefore = '', changes = [], displaced, seconds, undo } = step
    const [who = '–', ...others] = displaced
    const first: Line = {
      number: String(number),
      due: notBefore.replace(/\.000Z$/u, 'Z'),
      what: title,
      who,
      long: `${seconds.low}–${seconds.high} s${seconds.source.startsWith('assumed') ? '*' : ' '}`,
      back: undo.length > 0 ? undo.join(', ') : displaced.length > 0 ? 'none: a new pod starts' : 'not needed',
    }
    const more = Array.from({ length: Math.max(changes.length, others.length) }, (_, index): Line => ({
      number: '',
      due: '',
      what: changes[index] === undefined ? '' : `  ${changes[index]}`,
      who: others[index] ?? '',
      long: '',
      back: '',
    }))
    return [first, ...more]
  })
  const assumed = steps.some(({ seconds }) => seconds.source.startsWith('assumed'))
  return [
    ...textTable<Line>(lines, [
      { title: '#', text: ({ number }) => number, right: true },
      ...(lines.some(({ due }) => due !== '') ? [{ title: 'Due', text: ({ due }: Line) => due }] : []),
      { title: 'Step', text: ({ what }) => what },
      { title: 'Displaced', text: ({ who }) => who },
      { title: 'How long', text: ({ long }) => long, right: true },
      { title: 'Rollback', text: ({ back }) => back },
    ]),
    ...(assumed ? ['', '* assumed, not measured on this cluster'] : []),
  ]
}

const moveLines = ({ moves, goal }: MadePlan): readonly string[] =>
  moves.flatMap(({ pod, to }) => {
    if (to === null) return goal === 'appointment' ? [] : `${pod}: any free partition of its kind`
    const place = to.node === null ? `GPU ${to.gpu}` : `GPU ${to.index} of ${to.node}`
    return `${pod}: ${to.profile === '' ? `all of ${place}` : `${to.profile} on ${place}`}`
  })

/** By reason, because whole nodes share one. */
function leftOutLines({ leftOut, goal }: MadePlan): readonly string[] {
  const byReason = Map.groupBy(leftOut, ({ message }) => message)
  const noun = goal === 'appointment' ? 'node' : 'GPU'
  return [...byReason].map(([message, all]) => `${plural(all.length, noun)}: ${message}`)
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

function writtenLines({ steps, appointment }: MadePlan, written: Written | undefined): readonly string[] {
  if (written === undefined) return steps.length === 0 ? [] : ['', 'Add --out DIR to write it as files.']
  const next = appointment === null ? 'commands.sh does it step by step' : 'let-in.yaml is for the work that comes'
  return ['', `Written to ${written.folder}: ${written.files.length} files. Begin with PLAN.md; ${next}.`]
}
