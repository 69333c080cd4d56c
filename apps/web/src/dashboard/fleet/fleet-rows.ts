import { numberAt } from './number-at.ts'
import {
  CODE,
  DOWN_BIT,
  FAULT_BIT,
  gpuAt,
  shownHolders,
  pictureModel,
  nodeOf,
  picturePool,
  type FleetPicture,
} from './fleet-picture.ts'
import { FLEET_MEANINGS, MEANING_BITS } from './fleet-filter.ts'
import { WORDS } from './FleetLegend.tsx'

/** One GPU in the table. What costs more than a look-up is made when the row is in sight. */
export type FleetRow = {
  readonly gpu: number
  readonly id: string
  readonly name: string
  readonly model: string
  readonly pool: string
  readonly busy: number | undefined
  readonly held: number
  readonly state: string
  readonly holders: readonly string[]
}

/** The GPUs that match, in the order of the map. */
export function fleetRows(picture: FleetPicture, mask: Uint8Array | undefined): readonly FleetRow[] {
  const rows: FleetRow[] = []
  for (let gpu = 0; gpu < picture.gpus; gpu += 1) {
    if (mask === undefined || mask[gpu] === 1) rows.push(rowOf(picture, gpu))
  }
  return rows
}

function rowOf(picture: FleetPicture, gpu: number): FleetRow {
  const { frame, now } = picture
  return {
    gpu,
    id: frame.gpus.id[gpu] ?? '',
    name: `${nodeOf(picture, gpu)} · GPU ${numberAt(frame.gpus.index, gpu)}`,
    model: pictureModel(picture, gpu),
    pool: picturePool(picture, gpu),
    busy: busyOfHeld(picture, gpu),
    held: heldShare(picture, gpu),
    state: stateWords(numberAt(picture.has, gpu)),
    holders: shownHolders(picture, gpu).map((holder) => now.holders[holder] ?? ''),
  }
}

/** Faults first, then what there is of each meaning. */
function stateWords(bits: number): string {
  const worst = [...((bits & FAULT_BIT) === 0 ? [] : [WORDS.fault]), ...((bits & DOWN_BIT) === 0 ? [] : [WORDS.down])]
  const parts = FLEET_MEANINGS.filter(
    (meaning) => meaning !== 'fault' && meaning !== 'down' && (bits & MEANING_BITS[meaning]) !== 0,
  )
  return [...worst, ...parts.map((meaning) => WORDS[meaning])].join(', ')
}

/** Busy of what is held, weighted by memory slices; undefined unless all of it is measured. */
function busyOfHeld({ first, kind, size, busy }: FleetPicture, gpu: number): number | undefined {
  let held = 0
  let sum = 0
  for (let block = numberAt(first, gpu); block < numberAt(first, gpu + 1); block += 1) {
    if (isFree(numberAt(kind, block))) continue
    const share = numberAt(busy, block)
    if (share < 0) return undefined
    held += numberAt(size, block)
    sum += numberAt(size, block) * share
  }
  return held === 0 ? undefined : sum / held / 1000
}

function heldShare({ first, kind, size }: FleetPicture, gpu: number): number {
  let all = 0
  let held = 0
  for (let block = numberAt(first, gpu); block < numberAt(first, gpu + 1); block += 1) {
    all += numberAt(size, block)
    if (!isFree(numberAt(kind, block))) held += numberAt(size, block)
  }
  return all === 0 ? 0 : held / all
}

const isFree = (code: number): boolean => code === CODE.free || code === CODE.uncut || code === CODE.stranded

/** The bar of a row. */
export const barOf = (picture: FleetPicture, { gpu }: FleetRow): ReturnType<typeof gpuAt> => gpuAt(picture, gpu)
