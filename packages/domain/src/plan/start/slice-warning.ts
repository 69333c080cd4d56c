import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { agree, firstFew, listed } from '../../words.ts'
import type { Judged } from './judge-job.ts'
import type { StartPlace } from './start-answer.ts'

/**
 * What to know where pods that ask for whole GPUs would get MIG devices: a node whose MIG strategy is `single` advertises
 * its devices as `nvidia.com/gpu`. `named`: whether nodes may be named. Undefined where they get what they ask for.
 */
export function sliceWarning(
  { seatings }: Pick<Judged, 'seatings'>,
  places: readonly StartPlace[],
  named = true,
): string | undefined {
  const whole = new Set(
    seatings
      .filter(({ pods }) => pods.requests.some(({ resource }) => resource === WHOLE_GPU_RESOURCE))
      .map(({ pods }) => pods.part),
  )
  const asked = places.filter(({ part }) => whole.has(part))
  const cut = asked.filter(({ devices }) => devices.some(({ profile }) => profile !== undefined))
  if (cut.length === 0) return undefined
  const profiles = new Set(cut.flatMap(({ devices }) => devices.flatMap(({ profile }) => profile ?? [])))
  const nodes = [...new Set(cut.map(({ node }) => node))]
  const who = named ? firstFew(nodes, 3) : agree(nodes.length, 'their node', 'their nodes')
  const advertise = agree(nodes.length, 'advertises', 'advertise')
  return (
    `${cut.length === asked.length ? 'These' : 'Some of these'} are MIG slices (${listed([...profiles])}), not whole GPUs: ` +
    `${who} ${advertise} them as ${WHOLE_GPU_RESOURCE}. Add a node selector to avoid them.`
  )
}
