import { openClusterReader, openExporterReader } from '@septet/connectors'
import { assembleSnapshot, judgeReading, type ClusterSnapshot, type Instant, type JudgedSample } from '@septet/domain'
import type { DemoCluster } from '@septet/simulator'
import { expect } from 'vitest'

/** The demo cluster as Septet reads it: inventory by watch, devices from the exporters. */
export type Reading = {
  /** Reads the exporters again; by then the watches have brought what has changed. */
  read(): Promise<ClusterSnapshot>
  newest(): ClusterSnapshot | undefined
  samples(): readonly JudgedSample[]
  /** Reads as if nothing had been before, until the inventory is as it was at first. */
  restart(): Promise<void>
  close(): Promise<void>
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

export async function startReading(
  demo: Pick<DemoCluster, 'kubeconfigPath' | 'exporterTargetsUrl'>,
  clock: () => Instant,
): Promise<Reading> {
  const reader = openClusterReader({
    kubeconfig: { path: demo.kubeconfigPath },
    log: silent,
    clock,
    random: Math.random,
    timing: { debounce: 1 },
  })
  const telemetry = openExporterReader({ targets: { httpSd: demo.exporterTargetsUrl }, clock })
  await reader.start()
  const first = reader.inventory()
  let snapshot: ClusterSnapshot | undefined
  let samples: readonly JudgedSample[] = []
  const read = async (): Promise<ClusterSnapshot> => {
    const reading = await telemetry.read()
    const inventory = reader.inventory()
    if (inventory === undefined) throw new Error('the reader has nothing yet')
    ;({ samples } = judgeReading({ reading, memory: undefined, now: clock() }))
    snapshot = assembleSnapshot({ cluster: 'demo', inventory, samples, previous: snapshot, now: clock() })
    return snapshot
  }
  const readAfresh = async (): Promise<unknown> => {
    snapshot = undefined
    await read()
    return reader.inventory()
  }
  await read()
  return {
    read,
    newest: () => snapshot,
    samples: () => samples,
    restart: async () => {
      await expect.poll(readAfresh).toEqual(first)
    },
    close: async () => {
      await reader.stop()
      await telemetry.close()
    },
  }
}
