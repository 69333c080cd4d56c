import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { geometryMisfit } from '../guardrail/fits-board.ts'
import { boardOf } from '../../fleet/gpu-state.ts'
import { entryFor, hasComputeInstances, impossibleAnywhere, readMigEntries, type MigEntry } from './read-mig-entries.ts'

/** A node that is to wear a configuration. */
export type ConfigWearer = { readonly config: string; readonly node: GpuNode }

/**
 * What is wrong with a mig-parted file, each in one sentence; nothing when it is right. The rules of the schema, then the
 * boards: of the nodes that are to wear a configuration where they are given, else some board must hold each geometry.
 */
export function validateMigParted(document: unknown, wearers: readonly ConfigWearer[] = []): readonly string[] {
  const { configs, errors: wrong, doubts } = readMigEntries(document)
  // What Septet writes divides no GPU instance.
  const divided = [...configs].flatMap(([name, entries]) =>
    entries.some(({ geometry }) => hasComputeInstances(geometry))
      ? `${name} divides GPU instances into compute instances.`
      : [],
  )
  const errors = [...wrong, ...doubts, ...divided]
  const impossible = [...configs].flatMap(([name, entries]) =>
    entries.flatMap((entry) => impossibleAnywhere(name, entry) ?? []),
  )
  const misfits = wearers.flatMap(({ config, node }) => {
    const entries = configs.get(config)
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
