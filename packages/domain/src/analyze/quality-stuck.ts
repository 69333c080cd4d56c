import { findModel } from '../gpu/catalog.ts'
import { countInstances, type ExpectedNode, isComplete } from './quality-expected.ts'
import { type CounterState, deviceKey, type QualityMemory } from './quality-memory.ts'
import type { DeviceSample } from './sample.ts'

/** So many contradictory readings in a row make a counter stuck. A single one is doubted, but may be bad timing. */
export const STUCK_AFTER_READINGS = 5
/** GPU_UTIL from which a GPU visibly works while GR_ENGINE_ACTIVE says 0 (dcgm-exporter issues 635 and 662). */
const WORKING_KERNEL_TIME = 0.1
/** Share of time the memory interface is busy from which an instance visibly works. */
const WORKING_MEMORY_BUS = 0.05
/**
 * Share of the board's power limit from which it visibly works. Idle A100s with a loaded model draw up to 101 W of 400
 * (the lower half of the Kalos cluster's samples; Hu et al., NSDI 2024), so 40 % leaves room above any idle state.
 */
const WORKING_POWER_SHARE = 0.4
/** Where the board's power limit is not known, watts. */
const WORKING_POWER = 250

/**
 * Finds profiling counters that stay at 0. The evidence is GPU_UTIL where it exists; a cut GPU has none, so there it is
 * the memory interface of the instance, or the board's power while all of its instances say 0. The latter counts only
 * where the inventory confirms that all instances are told: one that is not exported may be what draws the power.
 */
export function watchCounters({ samples, memory, expected }: Watched): ReadonlyMap<string, CounterState> {
  const moving = new Set(samples.filter(({ busy }) => busy !== undefined && busy > 0).map(({ gpu }) => gpu))
  const told = countInstances(samples)
  const complete = new Set(
    [...(expected?.values() ?? [])].filter((node) => isComplete(node, told)).map(({ node }) => node),
  )
  return new Map(
    samples.map((sample) => {
      const key = deviceKey(sample)
      const boardSaysZero = !moving.has(sample.gpu) && (sample.instance === undefined || complete.has(sample.node))
      return [key, next(sample, memory.devices.get(key)?.counter, boardSaysZero)]
    }),
  )
}

type Watched = {
  readonly samples: readonly DeviceSample[]
  readonly memory: QualityMemory
  readonly expected: ReadonlyMap<string, ExpectedNode> | undefined
}

const FRESH: CounterState = { contradictions: 0, stuck: false, doubtful: false }

function next(sample: DeviceSample, before: CounterState = FRESH, boardSaysZero: boolean): CounterState {
  // GPU_UTIL may stand in for busy, and can be as wrong.
  if (sample.busy === undefined) {
    return { ...before, doubtful: sample.kernelTime === 0 && visiblyWorks(sample, boardSaysZero) }
  }
  if (sample.busy > 0) return FRESH
  const contradicted = visiblyWorks(sample, boardSaysZero)
  const contradictions = contradicted ? before.contradictions + 1 : before.stuck ? before.contradictions : 0
  const stuck = before.stuck || contradictions >= STUCK_AFTER_READINGS
  return { contradictions, stuck, doubtful: contradicted || stuck }
}

function visiblyWorks(sample: DeviceSample, boardSaysZero: boolean): boolean {
  const { instance, kernelTime, memoryBus, power, model } = sample
  if (instance === undefined && kernelTime !== undefined && kernelTime >= WORKING_KERNEL_TIME) return true
  if (memoryBus !== undefined && memoryBus >= WORKING_MEMORY_BUS) return true
  return boardSaysZero && power !== undefined && power >= workingPower(model)
}

function workingPower(modelName: string): number {
  const limit = findModel(modelName)?.tdp?.max
  return limit === undefined ? WORKING_POWER : limit * WORKING_POWER_SHARE
}
