import { type DeviceSample, FIELDS, SAMPLE_FIELDS } from '@septet/domain'

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

const BOARD_FIELDS = SAMPLE_FIELDS.filter((field) => FIELDS[field].of === 'board')

function lend(board: DeviceSample | undefined, sample: DeviceSample): DeviceSample {
  if (board === undefined) return sample
  const lent = BOARD_FIELDS.flatMap((field) => (board[field] === undefined ? [] : [[field, board[field]]]))
  return { ...Object.fromEntries(lent), ...sample }
}
