import { grouped } from '@septet/domain/words'
import type { PodExplanation, PolicyExplanation } from './pod-explanation.ts'

/** Where one pod went with each policy, and the spots that came near. */
export function formatExplanation({ pod, seed, arrival, asks, policies }: PodExplanation): string {
  const head = `${pod} asks for ${asks}. With seed ${seed} it is arrival ${grouped(arrival)}.`
  return [head, ...policies.flatMap(explanationLines), ''].join('\n')
}

function explanationLines({ policy, placed, considered }: PolicyExplanation): string[] {
  const spots = considered.map(({ spot, score }) => `  score ${Number(score.toPrecision(6))}: ${spot}`)
  const went = placed === undefined ? 'skipped: it fits nowhere' : placed
  return [
    '',
    `${policy}: ${went}`,
    ...(spots.length === 0 ? [] : ['  Best spots before it was placed, lower is better:', ...spots]),
  ]
}
