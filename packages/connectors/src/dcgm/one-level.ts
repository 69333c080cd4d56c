import type { DeviceSample } from '@septet/domain'

/**
 * Keeps one level per GPU. Depending on its device option an exporter gives a cut GPU as instances, as a whole, or
 * both; adding both up would count it twice. With instances present, the whole GPU only lends them its board-level
 * fields, which then read as the board's: they must not be added up over instances.
 */
export function oneLevelPerGpu(samples: readonly DeviceSample[]): DeviceSample[] {
  const cut = new Set(samples.filter((sample) => sample.instance !== undefined).map((sample) => sample.gpu))
  if (cut.size === 0) return [...samples]
  const boards = new Map<string, DeviceSample>()
  for (const sample of samples) if (isWhole(sample) && cut.has(sample.gpu)) boards.set(sample.gpu, sample)
  return samples
    .filter((sample) => !(isWhole(sample) && cut.has(sample.gpu)))
    .map((sample) => (cut.has(sample.gpu) ? lend(boards.get(sample.gpu), sample) : sample))
}

const isWhole = (sample: DeviceSample): boolean => sample.instance === undefined

function lend(board: DeviceSample | undefined, sample: DeviceSample): DeviceSample {
  if (board === undefined) return sample
  return {
    ...(board.power === undefined ? {} : { power: board.power }),
    ...(board.temperature === undefined ? {} : { temperature: board.temperature }),
    ...(board.xid === undefined ? {} : { xid: board.xid }),
    ...sample,
  }
}
