import { Button } from '../../ui/Button.tsx'
import { PauseIcon, PlayIcon } from '../../ui/icons.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { clockTime } from '../../ui/time-words.ts'
import { useLive } from '../live-context.ts'
import type { Live } from '../live-context.ts'
import { chosenCluster } from '../sources.ts'
import type { Cluster } from '../sources.ts'
import { useUrlState } from '../url-state.ts'
import { useAnswer } from '../use-answer.ts'

/** Of when the figures are, whether they still come in, and the button that makes them hold still. */
export function LiveState() {
  const live = useLive()
  const { cluster, range } = useUrlState()
  const { data } = useAnswer('summaryGet', { cluster, range })
  const clusters = useAnswer('clustersList', {}).data?.clusters
  const state = liveWords(live, chosenCluster(clusters, cluster))
  return (
    <>
      <p className="flex items-center gap-2 text-12 text-ink-soft">
        <StateDot state={state.dot} />
        <output>{state.words}</output>
        {data?.asOf != null && (
          <span>
            <span className="text-ink-quiet">as of </span>
            <time dateTime={data.asOf} className="font-mono">
              {clockTime(data.asOf)}
            </time>
          </span>
        )}
      </p>
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
    </>
  )
}

type LiveWords = {
  readonly words: string
  readonly dot: 'on' | 'waiting' | 'fault' | 'off'
  readonly pausable: boolean
}

function liveWords({ connection, paused }: Live, cluster: Cluster | undefined): LiveWords {
  if (cluster?.kind === 'sample') return { words: 'Not live', dot: 'off', pausable: false }
  if (paused) return { words: 'Paused', dot: 'off', pausable: true }
  if (connection === 'disconnected') return { words: 'Disconnected', dot: 'fault', pausable: true }
  if (cluster?.state === 'disconnected') return { words: 'Cluster disconnected', dot: 'fault', pausable: true }
  if (connection === 'connecting' || cluster?.state === 'connecting')
    return { words: 'Connecting', dot: 'waiting', pausable: true }
  return { words: 'Connected', dot: 'on', pausable: true }
}
