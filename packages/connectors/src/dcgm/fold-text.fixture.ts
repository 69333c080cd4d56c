import type { Instant } from '@septet/domain'

import { openLabelMemory } from '../exporter/label-memory.ts'
import { parseExposition } from '../exporter/parse-exposition.ts'
import { deviceMetrics } from './device-metric.ts'
import { openDeviceFold } from './fold-devices.ts'
import { readDeviceLabels } from './read-device-labels.ts'
import { openScaleMemory, type ScaleMemory } from './scale-memory.ts'

/** Folds texts as if each came from an exporter of its own. */
export function foldText(texts: readonly string[], now: Instant, scales: ScaleMemory = openScaleMemory()) {
  const devices = openDeviceFold(scales)
  for (const [index, text] of texts.entries()) {
    parseExposition(text, {
      labels: openLabelMemory(readDeviceLabels),
      sinkFor: (name) => {
        const metrics = deviceMetrics(name)
        if (metrics.length === 0) return undefined
        return (labels, value, at) => {
          if (labels === undefined) return
          for (const metric of metrics) devices.add(metric, labels, { value, source: `exporter-${index}`, at })
        }
      },
    })
  }
  return devices.finish(now)
}
