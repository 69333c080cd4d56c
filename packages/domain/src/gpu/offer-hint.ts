import { compareText } from '../units.ts'
import { profileOf, type Board } from './board.ts'
import { closest, isMisspelledGpu } from './gpu-resource.ts'
import { boardAsSpelled, boardFor, spelledOn } from './known-boards.ts'
import { parseProfileName, profileOfResource, resourceOfProfile } from './profile-name.ts'

type Offering = {
  readonly gpus: readonly { readonly model: string | undefined; readonly olderNames?: boolean }[]
  readonly allocatable: Readonly<Record<string, number>>
}

/** What to ask for instead of a resource that no node can offer, in a sentence; undefined where it is not known to be none. */
export function offerHint(resource: string, nodes: readonly Offering[]): string | undefined {
  const offered = new Set(nodes.flatMap(({ allocatable }) => Object.keys(allocatable)))
  if (offered.has(resource)) return undefined
  const name = profileOfResource(resource)
  if (name !== undefined)
    return profileHint(
      name,
      nodes.flatMap(({ gpus }) => gpus),
    )
  if (!isMisspelledGpu(resource)) return undefined
  const near = closest(resource, [...offered])
  const instead = near === undefined ? '' : ` The closest that nodes offer is ${near}: ask for that.`
  return `No node offers ${resource}.${instead}`
}

function profileHint(name: string, gpus: Offering['gpus']): string | undefined {
  const kinds = new Map(gpus.map((gpu) => [`${gpu.model} ${gpu.olderNames === true}`, gpu]))
  const sorted = [...kinds].toSorted(([a], [b]) => compareText(a, b))
  const boards = sorted.flatMap(([, { model = '', olderNames = false }]) => {
    const all = boardFor(model)
    return all === undefined ? [] : [{ model, all, olderNames, board: boardAsSpelled(all, olderNames) }]
  })
  if (boards.length === 0 || boards.some(({ board }) => profileOf(board, name) !== undefined)) return undefined
  const told = boards.slice(0, 3).map(({ model, all, olderNames, board }) => {
    const instead = spelledOn(all, olderNames, name) ?? profileInstead(board, name)
    return `${model} has no ${name}${instead === undefined ? '' : `: ask for ${instead} (${resourceOfProfile(instead)})`}`
  })
  return `${told.join('. ')}.`
}

/** The smallest profile of a board with no fewer compute slices and no less memory than the name says. */
function profileInstead({ profiles }: Board, name: string): string | undefined {
  const asked = parseProfileName(name)
  if (asked === undefined) return undefined
  const enough = profiles.filter((profile) => {
    const own = parseProfileName(profile.name)
    return (
      own !== undefined &&
      own.variant === asked.variant &&
      own.computeSlices >= asked.computeSlices &&
      own.gigabytes >= asked.gigabytes
    )
  })
  return enough.toSorted((a, b) => a.size - b.size || a.computeSlices - b.computeSlices)[0]?.name
}
