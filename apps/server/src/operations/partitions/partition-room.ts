import { Refusal, type InputOf, type FiguresOf, type partitionsRoom } from '@septet/contract'
import {
  lookForRoom,
  onceFor,
  roomAnswer,
  type Looked,
  type RoomAnswer,
  type RoomBlocked,
  type RoomPlace,
} from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { barContext, gpuView, type BarContext } from '../fleet/gpu-view.ts'
import { actuatorOf } from './partitions.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import { nodePictures, type NodePicture } from '../answering/node-pictures.ts'
import { answeredFrom } from '../answering/source.ts'

type Room = FiguresOf<typeof partitionsRoom>

/** Whether and where a profile can be placed now, and what keeps it out elsewhere. */
export function liveRoom(facts: ClusterFacts, input: InputOf<typeof partitionsRoom>): Room {
  const picture = facts.picture()
  if (picture === undefined) {
    throw new Refusal(
      'not-ready',
      `${facts.record.name} has not been read yet, so free capacity is unknown.`,
      'Try again in a few seconds.',
    )
  }
  const { profile, model, count, limit } = input
  const found = roomIn(picture, profile, model)
  const context = barContext(facts, picture)
  return {
    ...answeredFrom(facts, undefined),
    profile,
    count,
    verdict: verdictOf(found, count),
    now: found.now,
    recut: found.recut,
    placeable: { gpus: found.places.length, nodes: new Set(found.places.map(({ node }) => node.name)).size },
    places: found.places.slice(0, limit).map((place) => placeView(place, context)),
    blockedGpus: found.blocked.length,
    blocked: found.blocked.slice(0, limit).map((one) => blockedView(one, context)),
    refusals: found.refusals.map((refusal) => ({ ...refusal })),
  }
}

/** Answers of the newest picture, by profile and model: many look at the same, and the page asks again by itself. */
const answers = new WeakMap<ClusterPicture, Map<string, RoomAnswer>>()
const MOST_KEPT = 40

function roomIn(picture: ClusterPicture, profile: string, model: string | undefined): RoomAnswer {
  const known = answers.get(picture) ?? new Map<string, RoomAnswer>()
  answers.set(picture, known)
  const key = JSON.stringify([profile, model])
  const answer = known.get(key) ?? roomAnswer(lookedIn(picture, profile, model))
  if (known.size < MOST_KEPT) known.set(key, answer)
  return answer
}

const lookedIn = (picture: ClusterPicture, profile: string, model: string | undefined): readonly Looked[] =>
  nodePictures(picture)
    .flatMap((one) => lookedOn(one, profile))
    .filter(({ gpu }) => model === undefined || gpu.model === model)

/** A page asks for each profile of a board in turn. */
const PROFILES_KEPT = 12
const lookedBefore = onceFor((_one: NodePicture) => new RecentlyUsed<readonly Looked[]>(PROFILES_KEPT))

function lookedOn(one: NodePicture, profile: string): readonly Looked[] {
  const before = lookedBefore(one)
  const looked = before.get(profile) ?? lookForRoom(one, { profile })
  before.set(profile, looked)
  return looked
}

/** On what terms all of them fit at once. */
function verdictOf(
  { now, recut, blocked }: Pick<RoomAnswer, 'now' | 'recut' | 'blocked'>,
  count: number,
): Room['verdict'] {
  if (now >= count) return 'now'
  if (now + recut >= count) return 'recut'
  return blocked.length > 0 ? 'displacing' : 'never'
}

const placeView = ({ node, gpu, now, starts, recut, replaces }: RoomPlace, context: BarContext) => ({
  node: node.name,
  actuator: actuatorOf(node),
  gpu: gpuView(gpu, context),
  now,
  starts: [...starts],
  recut,
  replaces,
})

const blockedView = ({ node, gpu, because, inTheWay, cutAnew }: RoomBlocked, context: BarContext) => ({
  node: node.name,
  actuator: actuatorOf(node),
  gpu: gpuView(gpu, context),
  because,
  inTheWay: inTheWay.map(({ instance, workload }) => ({
    profile: instance?.profile ?? null,
    start: instance?.placement.start ?? null,
    holder: workload ?? null,
  })),
  cutAnew,
})
