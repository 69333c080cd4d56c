import type { MeanInterval } from '@septet/domain'

import { table } from '../report/table.ts'
import type { PodExplanation, PolicyExplanation } from './explain-pod.ts'
import type { PolicyResult, SimulationReport } from './simulate-trace.ts'

/** The comparison as a table, best last as in the order asked for, with what the figures mean. */
export function formatSimulation(report: SimulationReport): string {
  const { seeds, gpus, pods, arrivals, list, results } = report
  const end = `${Math.round(arrivals * 100)} %`
  const lines = table<PolicyResult>(results, [
    { title: 'policy', text: ({ policy }) => policy },
    { title: 'at 100 %', text: ({ allocatedAt100 }) => interval(allocatedAt100), right: true },
    { title: `at ${end}`, text: ({ allocated }) => interval(allocated), right: true },
    { title: 'fragmented', text: ({ fragmented }) => interval(fragmented), right: true },
    { title: 'pods skipped', text: ({ skippedPods }) => skippedPods.mean.toFixed(0), right: true },
    { title: 's a run', text: ({ secondsPerRun }) => secondsPerRun.toFixed(2), right: true },
  ])
  return [
    `${gpus.toLocaleString('en-US')} GPUs, list ${list} (${pods.toLocaleString('en-US')} pods), arrivals up to ${end} of the GPUs.`,
    `% of GPUs allocated, mean over ${seeds.length} orders of arrival (seeds ${seeds[0]} to ${seeds.at(-1)}), ± half a 95 % interval.`,
    '',
    ...lines,
    '',
  ].join('\n')
}

/** Where one pod went with each policy, and the spots that came near. */
export function formatExplanation({ pod, seed, arrival, asks, policies }: PodExplanation): string {
  const head = `${pod} asks for ${asks}. With seed ${seed} it is arrival ${arrival.toLocaleString('en-US')}.`
  return [head, ...policies.flatMap(explanationLines), ''].join('\n')
}

function explanationLines({ policy, placed, considered }: PolicyExplanation): string[] {
  const spots = considered.map(({ spot, score }) => `  score ${Number(score.toPrecision(6))}: ${spot}`)
  const went = placed === undefined ? 'skipped: it fits nowhere' : placed.replace(/;.*$/u, '')
  return [
    '',
    `${policy}: ${went}`,
    ...(spots.length === 0 ? [] : ['  Best spots before it was placed, lower is better:', ...spots]),
  ]
}

function interval(value: MeanInterval | undefined): string {
  if (value === undefined) return 'not reached'
  return value.halfWidth === undefined
    ? value.mean.toFixed(2)
    : `${value.mean.toFixed(2)} ± ${value.halfWidth.toFixed(2)}`
}
