import { openClusterReader, openExporterReader } from '@septet/connectors'
import { assembleSnapshot, judgeReading, type ClusterSnapshot, type Instant, type JudgedSample } from '@septet/domain'
import type { DemoCluster } from '@septet/simulator'

/** The demo cluster as Septet reads it: inventory by watch, devices from the exporters. */
export type Reading = {
  /** Reads the exporters anew. */
  read(): Promise<ClusterSnapshot>
  newest(): ClusterSnapshot | undefined
  samples(): readonly JudgedSample[]
  close(): Promise<void>
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

export async function startReading(demo: DemoCluster, clock: () => Instant): Promise<Reading> {
  const reader = openClusterReader({
    kubeconfig: { path: demo.kubeconfigPath },
    log: silent,
    clock,
    random: Math.random,
    timing: { debounce: 1 },
  })
  const telemetry = openExporterReader({ targets: { httpSd: demo.exporterTargetsUrl }, clock })
  await reader.start()
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
  await read()
  return {
    read,
    newest: () => snapshot,
    samples: () => samples,
    close: async () => {
      await reader.stop()
      await telemetry.close()
    },
  }
}
