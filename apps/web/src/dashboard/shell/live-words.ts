import { plural } from '@septet/domain/words'
import type { Live } from '../client/live-context.ts'
import type { Cluster } from '../client/sources.ts'

export type LiveWords = {
  readonly words: string
  readonly dot: 'on' | 'waiting' | 'fault' | 'off'
  /** What it means for the figures, and what happens next. */
  readonly detail: string
  readonly pausable: boolean
  readonly closable: boolean
}

/** How live the figures are, in one or two words and in a sentence. The page's own line is told before the cluster's. */
export function liveWords(live: Live, cluster: Cluster | undefined): LiveWords {
  if (cluster?.kind === 'sample') return { ...NOT_LIVE, pausable: false, closable: false }
  if (live.closed) return { ...closedWords(live), pausable: false, closable: true }
  if (live.paused) return { ...pausedWords(live.held), pausable: true, closable: true }
  return { ...lineWords(live, cluster), pausable: true, closable: true }
}

type Words = Pick<LiveWords, 'words' | 'dot' | 'detail'>

const NOT_LIVE: Words = { words: 'Not live', dot: 'off', detail: 'Sample data never changes.' }

const closedWords = ({ connection }: Live): Words =>
  connection === 'disconnected'
    ? {
        words: 'Disconnected',
        dot: 'off',
        detail: 'You disconnected. Figures stay frozen until you reconnect.',
      }
    : { words: 'Disconnecting', dot: 'waiting', detail: 'Disconnecting.' }

const pausedWords = (held: number): Words => ({
  words: held === 0 ? 'Paused' : `Paused · ${plural(held, 'change')}`,
  dot: 'off',
  detail: 'Updates are paused. Resume to catch up.',
})

function lineWords({ connection }: Live, cluster: Cluster | undefined): Words {
  if (connection === 'disconnected' || connection === 'disconnecting')
    return {
      words: 'Disconnected',
      dot: 'fault',
      detail: 'Lost the connection to Septet. Reconnecting; figures refresh every 30 seconds meanwhile.',
    }
  if (connection === 'connecting') return { words: 'Connecting', dot: 'waiting', detail: 'Connecting to Septet.' }
  return clusterWords(cluster)
}

function clusterWords(cluster: Cluster | undefined): Words {
  if (cluster?.state === 'disconnected')
    return {
      words: 'Cluster disconnected',
      dot: 'fault',
      detail: `Septet cannot reach ${cluster.name}. Figures are from the last contact.`,
    }
  if (cluster?.state === 'connecting')
    return { words: 'Connecting', dot: 'waiting', detail: `Septet is connecting to ${cluster.name}.` }
  return { words: 'Connected', dot: 'on', detail: 'Live updates.' }
}
