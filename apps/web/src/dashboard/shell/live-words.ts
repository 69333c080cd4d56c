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

const NOT_LIVE: Words = { words: 'Not live', dot: 'off', detail: 'Sample data is fixed: nothing changes it.' }

const closedWords = ({ connection }: Live): Words =>
  connection === 'disconnected'
    ? {
        words: 'Disconnected',
        dot: 'off',
        detail: 'You closed the connection. Figures stay as they are until you connect again.',
      }
    : { words: 'Disconnecting', dot: 'waiting', detail: 'The connection is being closed.' }

const pausedWords = (held: number): Words => ({
  words: held === 0 ? 'Paused' : `Paused · ${plural(held, 'change')}`,
  dot: 'off',
  detail: 'Figures hold still. What has changed meanwhile comes when you resume.',
})

function lineWords({ connection }: Live, cluster: Cluster | undefined): Words {
  if (connection === 'disconnected' || connection === 'disconnecting')
    return {
      words: 'Disconnected',
      dot: 'fault',
      detail:
        'Septet does not answer this page. It tries again by itself and takes up where it was; meanwhile figures are asked for every half minute.',
    }
  if (connection === 'connecting')
    return { words: 'Connecting', dot: 'waiting', detail: 'The page is connecting to Septet.' }
  return clusterWords(cluster)
}

function clusterWords(cluster: Cluster | undefined): Words {
  if (cluster?.state === 'disconnected')
    return {
      words: 'Cluster disconnected',
      dot: 'fault',
      detail: `Septet answers, but ${cluster.name} does not answer Septet. Figures are of the last contact.`,
    }
  if (cluster?.state === 'connecting')
    return { words: 'Connecting', dot: 'waiting', detail: `Septet is connecting to ${cluster.name}.` }
  return { words: 'Connected', dot: 'on', detail: 'Changes come in as they happen.' }
}
