import { parentPort } from 'node:worker_threads'

import { readAdmissionReview } from '@septet/connectors'
import type { Log } from '@septet/domain'
import { errorText } from '@septet/domain/words'
import { openPostgresStore } from '@septet/storage'

import { listenForReviews, type AdmissionListener } from '../admission/admission-listener.ts'
import type { FromAdmission, ThreadSettings, ToAdmission } from '../admission/admission-messages.ts'
import { ReviewAnswers } from '../admission/answer-review.ts'
import { AskingClusters } from '../admission/asking-clusters.ts'
import { Permissions } from '../admission/permissions.ts'
import { isWebhookToken } from '../admission/webhook-token.ts'
import { AdmissionUnpacker } from '../read-model/packed-admission.ts'
import type { StoreAddress } from './open-store.ts'

type Post = (message: FromAdmission) => void

/** Answers reviews apart from all else that a Septet does, so that an API server waits for nothing but its answer. */
function run(port: NonNullable<typeof parentPort>): void {
  const post: Post = (message) => port.postMessage(message)
  let running: Promise<Running | undefined> = Promise.resolve(undefined)
  const then = (act: (running: Running) => void): void => {
    running.then((one) => one && act(one)).catch(thrown)
  }
  port.on('message', (message: ToAdmission<StoreAddress>) => {
    switch (message.kind) {
      case 'begin':
        running = begin(message.settings, post)
        break
      case 'serve':
        then(({ listener }) => listener.serve(message.served))
        break
      case 'cluster':
        then(({ clusters }) => clusters.put(message.cluster))
        break
      case 'cluster-gone':
        then(({ clusters }) => clusters.remove(message.id))
        break
      case 'settled':
        then(({ clusters }) => clusters.settled(message.cluster, message.settled))
        break
      case 'alive':
        post({ kind: 'alive' })
        break
      case 'stop':
        running
          .then((one) => one?.close())
          .then(() => port.close())
          .catch(thrown)
        break
    }
  })
}

const clock = () => performance.now()

type Running = { readonly listener: AdmissionListener; readonly clusters: AskingClusters; close(): Promise<void> }

async function begin(settings: ThreadSettings<StoreAddress>, post: Post): Promise<Running | undefined> {
  try {
    const running = await start(settings, post)
    post({ kind: 'begun', port: running.listener.port })
    return running
  } catch (error) {
    post({ kind: 'refused', message: errorText(error) })
    return undefined
  }
}

async function start(settings: ThreadSettings<StoreAddress>, post: Post): Promise<Running> {
  const { host, port, served, tokenKey } = settings
  const [log, now] = [logTo(post), Date.now]
  const store = await openPostgresStore({ ...settings.store, log })
  const clusters = new AskingClusters(settings.clusters, () => new AdmissionUnpacker())
  const permissions = new Permissions({ store, clusters: clusters.all, changes: clusters.changes, log, now })
  try {
    await permissions.start()
    const reviews = new ReviewAnswers({
      read: readAdmissionReview,
      viewOf: clusters.viewOf,
      permissionOf: (cluster) => permissions.of(cluster),
      record: (cluster, record) => {
        if (record.kind === 'changed') clusters.changed(cluster)
        post({ kind: 'record', cluster, record })
      },
      log,
      now,
      clock,
    })
    const isGiven = (cluster: string, token: string) => isWebhookToken(tokenKey, cluster, token)
    const listener = await listenForReviews({ host, port, served, reviews, isGiven, log, clock })
    return {
      listener,
      clusters,
      close: async () => {
        await listener.stop()
        await permissions.stop()
        await store.close()
      },
    }
  } catch (error) {
    await permissions.stop()
    await store.close()
    throw error
  }
}

const logTo = (post: Post): Log => {
  const line =
    (level: keyof Log) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void =>
      post({ kind: 'log', level, message, fields })
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

/** An error that nobody expects ends the thread, and the main thread starts another. */
const thrown = (error: unknown): void => {
  setImmediate(() => {
    throw error
  })
}

if (parentPort !== null) run(parentPort)
