import { grouped } from '@septet/domain/words'
import type { MeanInterval } from '@septet/domain'

import { table, type Column } from '../report/table.ts'
import type { Lead, PolicyResult, SimulationReport } from './simulate-trace.ts'

/** The comparison as a table, in the order asked for, with what its figures mean and how clear the answer is. */
export function formatSimulation(report: SimulationReport): string {
  const { seeds, gpus, pods, arrivals, list, notes } = report
  const orders = seeds.length === 1 ? `one order of arrival (seed ${seeds[0]})` : `${seeds.length} orders of arrival`
  return [
    `${grouped(gpus)} GPUs; ${grouped(pods)} pods of list ${list}, drawn until they ask for ${percent(arrivals)} of the GPUs; ${orders}.`,
    ...notes.flatMap(wrapped),
    '',
    ...table<PolicyResult>(report.results, columnsOf(report)),
    '',
    ...meaning(report),
    ...(report.ceiling === undefined ? [] : [ceilingText(report.ceiling)]),
    ...(report.lead === undefined ? [] : [leadText(report.lead, seeds.length)]),
    '',
  ].join('\n')
}

function columnsOf({ arrivals, results }: SimulationReport): Column<PolicyResult>[] {
  const [first] = results
  const at100: Column<PolicyResult> = {
    title: 'at 100%',
    text: ({ allocatedAt100 }) => (allocatedAt100 === undefined ? 'not reached' : interval(allocatedAt100)),
    right: true,
  }
  const beside: Column<PolicyResult> = {
    title: `above ${first?.policy}`,
    text: ({ besideFirst }) => (besideFirst === undefined ? '' : signed(besideFirst)),
    right: true,
  }
  return [
    { title: 'policy', text: ({ policy }) => policy },
    ...(arrivals > 1 ? [at100] : []),
    { title: `at ${percent(arrivals)}`, text: ({ allocated }) => interval(allocated), right: true },
    ...(results.length > 1 ? [beside] : []),
    { title: 'fragmented', text: ({ fragmented }) => interval(fragmented), right: true },
    { title: 'pods skipped', text: ({ skippedPods }) => grouped(Math.round(skippedPods.mean)), right: true },
    { title: 'seconds a run', text: ({ secondsPerRun }) => secondsPerRun.toFixed(2), right: true },
  ]
}

function meaning({ as, seeds, arrivals, results }: SimulationReport): string[] {
  const end = percent(arrivals)
  const unit = as === 'mig' ? '% of all compute slices given to pods that asked for them' : '% of all GPUs allocated'
  const spread =
    seeds.length === 1
      ? 'One order of arrival has no interval.'
      : `Mean over the orders, ± half a 95% interval (seeds ${seeds[0]} to ${seeds.at(-1)}).`
  const above = `above ${results[0]?.policy}: points more at ${end}, on the same orders.`
  return [
    `at ${arrivals > 1 ? '100%, at ' : ''}${end}: ${unit}, when arrivals had asked for so much.`,
    ...(results.length > 1 ? [above] : []),
    'fragmented: free at the end and of no use to the typical pod, % of all. pods skipped: they fitted nowhere.',
    ...(as === 'mig'
      ? ['What is neither is free and usable, or held beyond what was asked (static layouts, whole GPUs).']
      : []),
    spread,
  ]
}

function ceilingText(ceiling: MeanInterval): string {
  return `Ceiling: ${interval(ceiling)}; had all arrivals been known, no way to partition and fill the GPUs gives more (linear bound).`
}

function leadText({ policy, alike, next }: Lead, seeds: number): string {
  const same = alike.length === 0 ? '' : `, not clearly more than ${alike.join(', ')}`
  const behind = next === undefined ? '' : `; ${signed(next.points)} points above ${next.policy}, the next`
  return `\nMost: ${policy}${same}${behind}${seeds === 1 ? ' (on one order of arrival only)' : ''}.`
}

const WIDTH = 120

/** A sentence in lines of the terminal's usual width. */
function wrapped(text: string): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.pop() ?? ''
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= WIDTH) lines.push(longer)
    else lines.push(line, word)
  }
  return lines
}

const percent = (share: number): string => `${Number((share * 100).toFixed(1))}%`

const signed = (value: MeanInterval): string => `${value.mean < 0 ? '' : '+'}${interval(value)}`

function interval({ mean, halfWidth }: MeanInterval): string {
  const text = mean.toFixed(2).replace(/^-0\.00$/u, '0.00')
  return halfWidth === undefined ? text : `${text} ± ${halfWidth.toFixed(2)}`
}
