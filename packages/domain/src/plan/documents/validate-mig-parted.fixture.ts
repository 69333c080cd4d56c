import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { geometryMisfit } from '../guardrail/fits-board.ts'
import { boardOf } from '../../fleet/gpu-state.ts'
import { entryFor, hasComputeInstances, impossibleAnywhere, repeatedDevices, type MigEntry } from './mig-entry.ts'

/** A mig-parted file as it was read, and what was wrong with the rest of it. */
export type MigFile = {
  readonly configs: readonly { readonly name: string; readonly content: readonly MigEntry[] }[]
  readonly errors: readonly string[]
}

/** A node that is to wear a configuration. */
export type ConfigWearer = { readonly config: string; readonly node: GpuNode }

/**
 * What is wrong with a mig-parted file, each in one sentence; nothing when it is right. The rules of its reader, then the
 * boards: of the nodes that are to wear a configuration where they are given, else some board must hold each geometry.
 */
export function validateMigParted(
  { configs, errors: wrong }: MigFile,
  wearers: readonly ConfigWearer[] = [],
): readonly string[] {
  // What Septet writes divides no GPU instance.
  const divided = configs.flatMap(({ name, content }) =>
    content.some(({ geometry }) => hasComputeInstances(geometry))
      ? `${name} divides GPU instances into compute instances.`
      : [],
  )
  const doubts = configs.flatMap(({ name, content }) => repeatedDevices(name, content))
  const errors = [...wrong, ...doubts, ...divided]
  const impossible = configs.flatMap(({ name, content }) =>
    content.flatMap((entry) => impossibleAnywhere(name, entry) ?? []),
  )
  const misfits = wearers.flatMap(({ config, node }) => {
    const entries = configs.find(({ name }) => name === config)?.content
    if (entries === undefined)
      return errors.length > 0 ? [] : [`${node.name} should get ${config}, which is missing from the file.`]
    return wearerErrors(config, entries, node)
  })
  return [...errors, ...(misfits.length > 0 ? misfits : impossible)]
}

function wearerErrors(config: string, entries: readonly MigEntry[], node: GpuNode): readonly string[] {
  const known = new Set(node.gpus.map(({ index }) => index))
  const strangers = entries.flatMap(({ devices }) =>
    devices === 'all' ? [] : devices.filter((index) => !known.has(index)),
  )
  return [
    ...strangers.map((index) => `${config} names GPU ${index}, but ${node.name} has no GPU of that index.`),
    ...node.gpus.flatMap((gpu) => {
      const entry = entryFor(entries, gpu)
      if (entry === undefined) return `${config} does not say what becomes of GPU ${gpu.index} of ${node.name}.`
      if (!entry.migEnabled) return []
      const because = boardOf(gpu) === undefined ? noBoard(gpu) : geometryMisfit(gpu, entry.geometry)
      return because === undefined ? [] : `${config} on ${node.name}: ${because}.`
    }),
  ]
}

const noBoard = (gpu: Gpu): string =>
  `GPU ${gpu.id} (${gpu.model ?? 'of an unknown board'}) is not known to support MIG`
