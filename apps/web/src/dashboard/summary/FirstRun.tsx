import { plural } from '@septet/domain/words'
import type { UseQueryResult } from '@tanstack/react-query'

import { isNotReady, type Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { Meter } from '../../ui/Meter.tsx'
import type { Cluster } from '../client/sources.ts'
import { useUrlState } from '../address/url-state.ts'

/** Nothing has been read from the cluster yet: it is being connected, or its first analysis is still to come. */
export const isFirstRun = (
  cluster: Cluster,
  { data, error, failureReason }: UseQueryResult<Answer<'summaryGet'>>,
): boolean =>
  data === undefined &&
  cluster.kind !== 'sample' &&
  (cluster.state === 'connecting' || isNotReady(error ?? failureReason))

type Props = { readonly cluster: Cluster; readonly sample: Cluster | undefined }

/** Before the first reading of a cluster: how far it is, and one thing to do meanwhile. */
export function FirstRun({ cluster, sample }: Props) {
  const { choose } = useUrlState()
  const { history, problems } = cluster
  return (
    <section className="enters grid justify-items-start gap-4 rounded-card border border-line bg-surface px-6 py-10 sm:px-10">
      <h2 className="text-20 font-semibold tracking-tight">Connecting to {cluster.name}</h2>
      <output className="max-w-xl text-ink-soft">{problems[0]?.message ?? words(cluster)}</output>
      {history !== null && history.of > 0 && (
        <div className="w-full max-w-md">
          <Meter value={history.done / history.of} label="History loaded" words={`${history.done} of ${history.of}`} />
          <p className="mt-2 font-mono text-12 text-ink-quiet">
            {history.done} of {history.of} · {history.detail}
          </p>
        </div>
      )}
      {sample !== undefined && (
        <Button className="min-h-8" onClick={() => choose({ cluster: sample.id })}>
          View sample data meanwhile
        </Button>
      )}
    </section>
  )
}

function words({ nodes, gpus }: Cluster): string {
  if (nodes === null) return 'Reading nodes and pods. First figures appear within about a minute.'
  const found = [plural(nodes, 'node'), ...(gpus === null ? [] : [plural(gpus, 'GPU')])].join(' with ')
  return `Found ${found}. First figures appear once their metrics are read.`
}
