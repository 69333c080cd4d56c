import type { ClusterReader, Instant, Inventory, Log } from '@septet/domain'
import { openApiClient, type ApiClient } from '../connect/api-client.ts'
import { findMissingPermissions, type MissingPermission } from '../connect/check-permissions.ts'
import { openConnection, toContactFailure } from '../connect/connection.ts'
import { ConnectError } from '../connect/connect-error.ts'
import { loadCredentials, type ClusterAddress } from '../connect/credentials.ts'
import { discover, readServerVersion } from '../connect/discovery.ts'
import { openNotices } from './notices.ts'
import { connectSession, type WatchSession } from './session.ts'
import { createBackOff } from '../connect/back-off.ts'
import { DEFAULT_TIMING, pause, type ReaderTiming } from '../connect/timing.ts'

export type ClusterReaderOptions = {
  readonly kubeconfig: ClusterAddress
  readonly log: Log
  readonly clock: () => Instant
  /** Yields [0, 1): spreads delays. */
  readonly random: () => number
  /** Where the NVIDIA GPU Operator runs; `gpu-operator` unless said. OpenShift: `nvidia-gpu-operator`. */
  readonly operatorNamespace?: string
  readonly timing?: Partial<ReaderTiming>
}

/** A `ClusterReader` over the Kubernetes API. */
export type KubernetesReader = ClusterReader & {
  /** What the reader's role lacks; for a connection test, also before `start`. Throws a `ConnectError`. */
  checkPermissions(): Promise<readonly MissingPermission[]>
}

/**
 * Reads one cluster, and nothing of it is shared with another reader. `start` rejects with a `ConnectError` when the
 * first try fails, or when the first sync takes too long; the reader goes on trying all the same until `stop`, and a
 * kubeconfig that was put right meanwhile is read again.
 */
export function openClusterReader(options: ClusterReaderOptions): KubernetesReader {
  const timing = { ...DEFAULT_TIMING, ...options.timing }
  const operatorNamespace = options.operatorNamespace ?? 'gpu-operator'
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  // A failure before anyone waits for it is kept for `start`, and must not end the process.
  first.promise.catch(() => undefined)
  let session: WatchSession | undefined
  let running: Promise<void> | undefined
  const broken = (error: unknown): void => options.log.error('the cluster reader failed', { error: String(error) })
  const notices = openNotices({
    every: timing.debounce,
    before: () => session?.prepare() ?? Promise.resolve(),
    onError: broken,
  })
  const connection = openConnection({ clock: options.clock, onTurn: notices.changed })
  const openClient = (): ApiClient =>
    openApiClient({ load: () => loadCredentials(options.kubeconfig), timing, heard: connection.heard })

  const connect = async (): Promise<void> => {
    const { random } = options
    const backOff = createBackOff({ base: timing.backOffBase, cap: timing.backOffCap, random })
    while (session === undefined && !stopping.signal.aborted) {
      try {
        session = await connectSession({
          ...options,
          timing,
          operatorNamespace,
          stopping,
          connection,
          notices,
          openClient,
        })
      } catch (error) {
        const failure = toContactFailure(error)
        connection.failed(failure)
        options.log.warn('cannot read the cluster', { error: failure.message })
        first.reject(failure)
        await pause(backOff.next(), stopping.signal)
      }
    }
    await session?.run(first.resolve)
  }
  return {
    async start() {
      running ??= connect().catch(broken)
      await Promise.race([first.promise, tooLate(timing.firstSync, stopping.signal, first.promise)])
    },
    inventory: (): Inventory | undefined => session?.inventory(),
    objectsOf: (workload) => session?.objectsOf(workload),
    onChange: notices.listen,
    state: () => connection.state(session?.problems() ?? []),
    async stop() {
      stopping.abort()
      first.reject(new ConnectError('not-synced', 'The reader was stopped before its first full sync.'))
      notices.close()
      await running
    },
    checkPermissions: () => checkPermissions(openClient, operatorNamespace),
  }
}

async function checkPermissions(
  openClient: () => ApiClient,
  operatorNamespace: string,
): Promise<readonly MissingPermission[]> {
  const client = openClient()
  try {
    await readServerVersion(client)
    return await findMissingPermissions(client, await discover(client), { operatorNamespace })
  } catch (error) {
    throw toContactFailure(error)
  } finally {
    client.close()
  }
}

async function tooLate(milliseconds: number, stopping: AbortSignal, first: Promise<void>): Promise<void> {
  const over = new AbortController()
  first.finally(() => over.abort()).catch(() => undefined)
  await pause(milliseconds, AbortSignal.any([stopping, over.signal]))
  if (over.signal.aborted || stopping.aborted) return first
  throw new ConnectError(
    'not-synced',
    `The cluster answers, but its nodes and pods were not read within ${milliseconds / 1000} s; Septet keeps reading.`,
  )
}
