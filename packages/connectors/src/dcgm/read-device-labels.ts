import type { DeviceLabels } from './device-labels.ts'
import { readDcgmLabels } from './dcgm-labels.ts'
import type { LabelTexts } from './label-texts.ts'
import { readAmdLabels, readIntelLabels } from './other-labels.ts'

/**
 * Reads a label set as an exporter writes it, directly or by way of Prometheus; undefined when it names no GPU. `node` is given
 * by those who know where the exporter runs: it may take its pod's name for the host's.
 */
export const readDeviceLabels = (labels: LabelTexts, node?: string): DeviceLabels | undefined =>
  readDcgmLabels(labels, node) ?? readAmdLabels(labels, node) ?? readIntelLabels(labels, node)
