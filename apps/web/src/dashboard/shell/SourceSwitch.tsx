import { plural } from '@septet/domain/words'
import type { ComponentProps } from 'react'

import { Button } from '../../ui/Button.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { SOURCE_KIND_WORDS, STATE_WORDS, type Cluster } from '../client/sources.ts'
import { useSource } from '../client/use-source.ts'
import { useUrlState } from '../address/url-state.ts'

/** Whose figures these are: a connected cluster, the demo cluster, or the fixed sample data. */
export function SourceSwitch() {
  const { cluster: wanted } = useUrlState()
  const { clusters, chosen, isAll, chooseOne, chooseAll } = useSource()
  const shown = isAll ? undefined : chosen
  return (
    <Menu
      label="Source"
      value={isAll ? ALL : chosen?.id}
      choices={[
        ...(chooseAll === undefined ? [] : [ALL_CHOICE]),
        ...clusters.map((cluster) => ({
          value: cluster.id,
          label: cluster.name,
          detail: sizeWords(cluster),
          mark: <StateDot state={DOT[cluster.state]} />,
        })),
      ]}
      onChoose={(id) => (id === ALL ? chooseAll?.() : chooseOne(id))}
    >
      <SourceButton chosen={shown} wanted={isAll ? ALL_CHOICE.label : wanted} />
    </Menu>
  )
}

/** No cluster has this id: ids are names of DNS. */
const ALL = '*'
const ALL_CHOICE = {
  value: ALL,
  label: 'All clusters',
  detail: 'totals and recommendations of all of them',
  mark: <span className="w-2" />,
}

type ButtonProps = ComponentProps<typeof Button> & {
  readonly chosen: Cluster | undefined
  readonly wanted: string | undefined
}

const SourceButton = ({ chosen, wanted, ...rest }: ButtonProps) => (
  <Button {...rest} className="min-h-8 max-w-full justify-start sm:min-w-48">
    {chosen !== undefined && <StateDot state={DOT[chosen.state]} />}
    <span className="sr-only">Source:</span>
    <bdi className="truncate font-medium">{sourceName(chosen, wanted)}</bdi>
    {chosen !== undefined && (
      <span className={`truncate text-ink-quiet ${chosen.kind === 'sample' ? '' : 'max-sm:hidden'}`}>
        {aside(chosen)}
      </span>
    )}
    <span className="ml-auto text-ink-quiet">
      <ChevronDownIcon />
    </span>
  </Button>
)

/** "Sample data: fixed figures" must not be overlooked; the others carry their size. */
const sourceName = (chosen: Cluster | undefined, wanted: string | undefined): string => {
  if (chosen === undefined) return wanted ?? 'loading'
  return chosen.kind === 'sample' ? `${chosen.name}:` : chosen.name
}

const aside = (cluster: Cluster): string =>
  cluster.kind === 'sample' || cluster.gpus === null ? SOURCE_KIND_WORDS[cluster.kind] : plural(cluster.gpus, 'GPU')

function sizeWords(cluster: Cluster): string {
  const size =
    cluster.nodes === null || cluster.gpus === null
      ? []
      : [`${plural(cluster.nodes, 'node')}, ${plural(cluster.gpus, 'GPU')}`]
  const state = cluster.state === 'not-live' ? [] : [STATE_WORDS[cluster.state]]
  return [SOURCE_KIND_WORDS[cluster.kind], ...size, ...state].join(' · ')
}

const DOT = {
  connecting: 'waiting',
  connected: 'on',
  disconnected: 'fault',
  'not-live': 'off',
} as const satisfies Record<Cluster['state'], string>
