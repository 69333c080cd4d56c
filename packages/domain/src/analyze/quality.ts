import type { Problem } from '../cluster/node.ts'
import { compareText, type Instant } from '../units.ts'
import { absentDevices } from './quality-absent.ts'
import type { Expected } from './quality-expected.ts'
import { judgeDevice } from './quality-judge.ts'
import { deviceKey, emptyQualityMemory, type QualityMemory, remember } from './quality-memory.ts'
import { qualityProblems } from './quality-problems.ts'
import { withKubernetesNames } from './quality-names.ts'
import { attribute } from './quality-sharing.ts'
import { watchCounters } from './quality-stuck.ts'
import type { DeviceSample, JudgedSample, TelemetryReading } from './sample.ts'

export type JudgeInput = {
  readonly reading: TelemetryReading
  /** What the inventory says, see `expectedOf`; without it only what was seen before can be missed. */
  readonly expected?: Expected
  /** From the judgement of the reading before; undefined at first. */
  readonly memory: QualityMemory | undefined
  readonly now: Instant
}

export type Judgement = {
  /** One per device of the reading, and one without any value per device that should be there and is not. */
  readonly samples: readonly JudgedSample[]
  readonly memory: QualityMemory
  readonly problems: readonly Problem[]
}

/**
 * Decides of each device whether its `busy` can be trusted. It is there only when it can; otherwise `quality` gives the
 * reason, so that unknown never looks like 0. Pure: the same reading and memory give the same judgement.
 */
export function judgeReading({ reading: told, expected, memory = emptyQualityMemory, now }: JudgeInput): Judgement {
  const reading = expected === undefined ? told : withKubernetesNames(told, expected, memory)
  const nodes = expected === undefined ? undefined : new Map(expected.nodes.map((node) => [node.node, node]))
  const attributed = attribute(reading.samples)
  const counters = watchCounters({ samples: attributed.samples, memory, expected: nodes })
  const profiled = new Set([...memory.profiledModels, ...modelsWithBusy(attributed.samples)])
  const present = attributed.samples.map((sample) =>
    judgeDevice(sample, {
      now,
      profiled,
      repeated: attributed.repeated.has(deviceKey(sample)),
      stuck: counters.get(deviceKey(sample))?.doubtful === true,
      cut: nodes?.get(sample.node)?.cut === true,
    }),
  )
  const own = new Set(attributed.samples.filter(({ busy }) => busy !== undefined).map(deviceKey))
  const busy = present.filter((sample) => sample.busy !== undefined).map(deviceKey)
  const coarse = new Set(busy.filter((key) => !own.has(key)))
  const absent = absentDevices({ reading, present, memory, expected: nodes, now })
  const samples = [...present, ...absent].toSorted(byPlace)
  return {
    samples,
    memory: { devices: remember({ present, absent, counters, memory, now }), profiledModels: profiled },
    problems: qualityProblems({ samples, reading, expected: nodes, known: expected?.known, memory, counters, coarse }),
  }
}

const modelsWithBusy = (samples: readonly DeviceSample[]): string[] =>
  samples.filter((sample) => sample.busy !== undefined || sample.unusable?.busy !== undefined).map(({ model }) => model)

const byPlace = (a: JudgedSample, b: JudgedSample): number =>
  compareText(a.node, b.node) || a.index - b.index || compareText(deviceKey(a), deviceKey(b))
