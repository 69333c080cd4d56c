import { randomUUID } from 'node:crypto'

import { checkCluster, checkMetrics } from '@septet/connectors'
import { CONNECTION_STEPS, type ConnectionStep, type NoteStore } from '@septet/domain'

import type { ClusterSource } from '../config.ts'
import { openSharedWork } from '../operations/background/shared-work.ts'
import type { TestView } from '../operations/clusters/cluster-service.ts'
import { clusterAddress } from './connect-cluster.ts'

/** Tests of connections that go on or ended lately, here or at another server on the database. */
export type ConnectionTests = {
  /** Gives the id to ask by; undefined when too many go on here already. */
  begin(source: ClusterSource): Promise<string | undefined>
  result(id: string): Promise<TestView | undefined>
  close(): void
}

const MOST_AT_ONCE = 4
const LONGEST_MS = 120_000
const REMEMBERED_MS = 600_000

type Test = { readonly steps: Map<ConnectionStep['id'], ConnectionStep>; done: boolean }

export function openConnectionTests({ notes }: { readonly notes: NoteStore }): ConnectionTests {
  const tests = new Map<string, Test>()
  const shared = openSharedWork<TestView>({ notes, kind: 'connection-test', now: Date.now })
  const closing = new AbortController()
  return {
    async begin(source) {
      if ([...tests.values()].filter(({ done }) => !done).length >= MOST_AT_ONCE) return undefined
      const id = randomUUID()
      const test: Test = { steps: new Map(), done: false }
      tests.set(id, test)
      const noted = await shared.note({ id, owner: '', state: () => viewOf(test), ended: () => undefined })
      void run(source, test, AbortSignal.any([closing.signal, AbortSignal.timeout(LONGEST_MS)])).finally(() => {
        test.done = true
        setTimeout(() => tests.delete(id), REMEMBERED_MS).unref()
        void noted?.done(REMEMBERED_MS)
      })
      return id
    },
    async result(id) {
      const test = tests.get(id)
      if (test !== undefined) return viewOf(test)
      const found = await shared.find(id)
      return found === undefined || found.isLost ? undefined : found.state
    },
    close: () => closing.abort(),
  }
}

const viewOf = ({ done, steps }: Test): TestView => ({
  done,
  steps: CONNECTION_STEPS.flatMap((step) => steps.get(step) ?? []).map(stepView),
})

async function run(source: ClusterSource, test: Test, signal: AbortSignal): Promise<void> {
  const tell = (step: ConnectionStep): void => void test.steps.set(step.id, step)
  const common = { clock: Date.now, tell }
  const { gpuNodes } = await checkCluster({
    ...common,
    kubeconfig: clusterAddress(source),
    operatorNamespace: source.operatorNamespace,
    signal,
  })
  if (signal.aborted) return
  const { prometheus, exporterTargets } = source
  await checkMetrics({ ...common, gpuNodes, exporterTargets, prometheus })
}

const stepView = ({ works, todo, items = [], manifest, ...step }: ConnectionStep): TestView['steps'][number] => ({
  ...step,
  works: works ?? null,
  todo: todo ?? null,
  items: items.map((item) => ({ ...item })),
  manifest: manifest ?? null,
})
