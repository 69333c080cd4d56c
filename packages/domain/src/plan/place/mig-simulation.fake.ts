import { Replay } from '../../replay/replay.ts'
import { openMigFleet, type MigHeld } from './mig-fleet.fake.ts'
import type { MigPolicy } from './mig-policy.ts'
import type { MigTables } from './mig-tables.ts'

/** What came of a list of arrivals. */
type MigOutcome = {
  readonly arrived: number
  readonly accepted: number
  /** Worth that arrived and that was accepted, in GPUs: a 3g on eight memory slices is half a GPU. */
  readonly arrivedWorth: number
  readonly acceptedWorth: number
  /** GPUs that ever held anything. */
  readonly gpusUsed: number
  /** GPUs that held something, mean over time from `countFrom` to the last arrival. */
  readonly meanInUse: number
}

/** One workload: a profile by its index in the tables, when it comes and how long it stays; forever where undefined. */
export type MigArrival = { readonly profile: number; readonly at: number; readonly stays: number | undefined }

/**
 * Places arrivals one by one, in order, on `gpus` equal GPUs; none is moved, and one that fits nowhere is skipped. What
 * arrives before `countFrom` fills the fleet and is not counted.
 */
export function simulateMig({ tables, policy, arrivals, gpus, countFrom = 0 }: MigSimulation): MigOutcome {
  const choose = policy.start(tables)
  const fleet = openMigFleet(tables, gpus)
  const sum = { arrived: 0, accepted: 0, arrivedWorth: 0, acceptedWorth: 0 }
  let [gpuTime, now] = [0, countFrom]
  const until = arrivals.at(-1)?.at ?? countFrom
  const replay = new Replay<MigHeld & { readonly at: number }>(
    { comesAt: (entry) => arrivals[entry]?.at, until },
    {
      pass(to) {
        gpuTime += (gpus - (fleet.gpusByMask[0] ?? 0)) * Math.max(0, to - now)
        now = Math.max(now, to)
      },
      came(entry, at) {
        const { profile = 0, stays = Infinity } = arrivals[entry] ?? {}
        const counted = at >= countFrom ? 1 : 0
        const worth = counted * (tables.worth[profile] ?? 0)
        sum.arrived += counted
        sum.arrivedWorth += worth
        const held = fleet.take(choose, profile)
        if (held === undefined) return
        sum.accepted += counted
        sum.acceptedWorth += worth
        replay.willEnd({ ...held, at: at + stays })
      },
      ended(gone) {
        for (const { gpu, taken } of gone) fleet.release(gpu, taken)
      },
    },
  )
  replay.advance()
  return { ...sum, gpusUsed: fleet.used(), meanInUse: gpuTime / (now - countFrom) }
}

type MigSimulation = {
  readonly tables: MigTables
  readonly policy: MigPolicy
  readonly arrivals: readonly MigArrival[]
  readonly gpus: number
  readonly countFrom?: number
}
