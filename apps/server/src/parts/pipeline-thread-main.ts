import { parentPort, type MessagePort } from 'node:worker_threads'

import { instant } from '@septet/domain'
import { openPostgresStore } from '@septet/storage'

import { openLog } from '../log.ts'
import { ClusterPipeline } from '../pipeline/cluster-pipeline.ts'
import { failureOf, type FromPipeline } from '../pipeline/pipeline-messages.ts'
import { FactsPublisher } from '../pipeline/publish-facts.ts'
import { connectCluster, connectDemo } from './connect-cluster.ts'
import type { PipelineSettings, ToPipeline } from './pipeline-thread.ts'

/** How often it is looked whether the connection has changed while nothing else did. */
const LOOK_MS = 1000

/** One cluster's pipeline as a thread of its own: its turns take long on a large fleet, and no answer waits for them. */
function run(port: MessagePort): void {
  const post: Post = (message) => port.postMessage(message)
  let beginning: Promise<Running | undefined> = Promise.resolve(undefined)
  port.on('message', (message: ToPipeline) => {
    switch (message.kind) {
      case 'begin':
        beginning = begin(message.settings, post)
        break
      case 'analysis':
        beginning.then((running) => running?.publisher.answer(message.of, message.isKnown)).catch(thrown)
        break
      case 'draft':
        beginning.then((running) => running?.publisher.draft(message.number, message.question)).catch(thrown)
        break
      case 'workload':
        beginning.then((running) => running?.publisher.workload(message.number, message.id)).catch(thrown)
        break
      case 'stop':
        beginning.then((running) => stop(running, post, port)).catch(thrown)
        break
    }
  })
}

type Post = (message: FromPipeline) => void
type Running = { readonly publisher: FactsPublisher; close(): Promise<void> }

async function begin(settings: PipelineSettings, post: Post): Promise<Running | undefined> {
  try {
    const running = await startPipeline(settings, post)
    post({ kind: 'begun' })
    return running
  } catch (error) {
    post({ kind: 'refused', failure: failureOf(error) })
    return undefined
  }
}

async function startPipeline(settings: PipelineSettings, post: Post): Promise<Running> {
  const { record, source, store: address, pollSeconds, logLevel } = settings
  const log = openLog(logLevel)
  const connections = source.kind === 'demo' ? connectDemo(source.addresses, log) : connectCluster(source.cluster, log)
  const store = await openPostgresStore({ ...address, log })
  const pipeline = new ClusterPipeline({
    record,
    ...connections,
    store,
    log,
    clock: () => instant(Date.now()),
    pollSeconds,
    publish: (event) => {
      // Whoever hears of a change must find it.
      publisher.publish()
      post({ kind: 'event', event })
    },
    observe: (stage, tookMs) => post({ kind: 'stage', stage, tookMs }),
    analyzed: (of, analysis) => publisher.analyzed(of, analysis),
  })
  const publisher = new FactsPublisher(pipeline.facts(), (fact) => post({ kind: 'fact', fact }))
  const looking = setInterval(() => publisher.publish(), LOOK_MS)
  pipeline.start()
  return {
    publisher,
    close: async () => {
      clearInterval(looking)
      await pipeline.stop()
      await store.close()
    },
  }
}

async function stop(running: Running | undefined, post: Post, port: MessagePort): Promise<void> {
  await running?.close()
  post({ kind: 'stopped' })
  port.close()
}

/** An error that nobody expects ends the thread, and the main thread begins another. */
const thrown = (error: unknown): void => {
  setImmediate(() => {
    throw error
  })
}

if (parentPort !== null) run(parentPort)
