import { plural } from '@septet/domain/words'

import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { PauseIcon, PlayIcon } from '../../ui/icons.tsx'
import { clockTime } from '../../ui/time-words.ts'
import { type Live, useLive } from '../client/live-context.ts'
import type { Cluster } from '../client/sources.ts'
import { useSource } from '../client/use-source.ts'

/** Of when the figures are, whether they still come in, and the button that makes them hold still. */
export function LiveState() {
  const live = useLive()
  const { chosen, isAll } = useSource()
  const state = liveWords(live, chosen)
  // Of all clusters each row says how old it is.
  const asOf = isAll ? null : (chosen?.asOf ?? null)
  return (
    <div className="flex items-center gap-1">
      <ConnectionMenu live={live} state={state} asOf={asOf} />
      {state.pausable && (
        <Button
          look="quiet"
          className="size-8 px-0"
          aria-pressed={live.paused}
          aria-label={live.paused ? 'Resume live updates' : 'Pause live updates'}
          title={live.paused ? 'Resume live updates' : 'Pause live updates'}
          onClick={() => live.setPaused(!live.paused)}
        >
          {live.paused ? <PlayIcon /> : <PauseIcon />}
        </Button>
      )}
    </div>
  )
}

type MenuProps = { readonly live: Live; readonly state: LiveWords; readonly asOf: string | null }

const ConnectionMenu = ({ live, state, asOf }: MenuProps) => (
  <Card
    label="Live updates"
    focus="first control"
    className="grid w-72 gap-3 px-4 py-3.5 text-13"
    trigger={
      <Button look="quiet" className="gap-2 px-2 text-12">
        <StateDot state={state.dot} />
        <output>{state.words}</output>
        {asOf !== null && (
          <span className="max-sm:hidden">
            <span className="text-ink-quiet max-[1400px]:hidden">as of </span>
            <time dateTime={asOf} className="inline-block min-w-[8ch] text-left font-mono">
              {clockTime(asOf)}
            </time>
          </span>
        )}
      </Button>
    }
  >
    <p className="text-ink-soft">{state.detail}</p>
    {state.closable && (
      <Button onClick={() => live.setClosed(!live.closed)} className="justify-self-start">
        {live.closed ? 'Reconnect' : 'Disconnect'}
      </Button>
    )}
  </Card>
)

type LiveWords = {
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
