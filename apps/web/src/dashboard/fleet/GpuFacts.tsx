import { FIELDS, SHOWN_FIELDS } from '@septet/domain'

import { To } from '../address/To.tsx'
import type { Answer } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'
import { FigureText } from '../../ui/FigureText.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { SliceBar } from '../../ui/SliceBar.tsx'
import { MEANINGS, placementWords } from '../../ui/slice-words.ts'
import { Swatch } from '../../ui/Swatch.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { useWidth } from '../../ui/use-width.ts'
import { GpuDay } from './GpuDay.tsx'

type Gpu = Answer<'fleetGpu'>

/** Everything that is known of one GPU. */
export function GpuFacts({ data }: { readonly data: Gpu }) {
  return (
    <>
      <Layout data={data} />
      <Reading data={data} />
      <Partitions data={data} />
      <Faults data={data} />
      <GpuDay day={data.day} sample={data.source.kind === 'sample'} />
      <Identity data={data} />
    </>
  )
}

function Layout({ data: { gpu, node } }: { readonly data: Gpu }) {
  const [ground, width] = useWidth<HTMLDivElement>()
  const placement = placementWords(gpu)
  return (
    <section aria-label="Layout" className="grid gap-2">
      <div ref={ground} className="pt-1">
        <SliceBar gpu={gpu} height={32} {...(width === undefined ? {} : { width })} />
      </div>
      <p className="text-12 text-ink-quiet">
        {MODE[gpu.mode]}
        {gpu.mode === 'mig' && `, drawn to scale over ${gpu.slots} memory slices`}
        {placement !== undefined && `; ${placement}`}.
      </p>
      {!node.ready && (
        <p>
          <Badge tone="destructive">node not ready</Badge>
        </p>
      )}
      {!node.schedulable && (
        <p>
          <Badge tone="warning">node cordoned</Badge>
        </p>
      )}
    </section>
  )
}

const MODE = { whole: 'MIG off', mig: 'MIG', shared: 'Time-sliced, one layer per replica' } as const

const Reading = ({ data: { reading } }: { readonly data: Gpu }) => (
  <section aria-label="Reading" className="grid gap-1.5">
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
      {(
        [
          ['Memory', reading.memoryUsed],
          ...SHOWN_FIELDS.map((field) => [FIELDS[field].shown.label, reading[field]] as const),
        ] as const
      ).map(([name, figure]) => (
        <div key={name}>
          <dt className="text-12 text-ink-soft">{name}</dt>
          <dd>
            <FigureText figure={figure} name={name} />
            {name === 'Memory' && reading.memoryTotal.value !== null && (
              // The room keeps the two figures apart for a finger: WCAG 2.5.8 asks for 24 pixels.
              <span className="block pt-2 text-12 text-ink-quiet">
                of <FigureText figure={reading.memoryTotal} name="Total memory" />
                {reading.memoryTotalOf === 'instances' && ' in MIG instances'}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
    <Read at={reading.at} />
  </section>
)

function Read({ at }: { readonly at: string | null }) {
  const now = useNow()
  if (at === null) return <p className="text-12 text-ink-quiet">No exporter reports this GPU.</p>
  return (
    <p className="text-12 text-ink-quiet">
      Read <time dateTime={at}>{ago(at, now)}</time>.
    </p>
  )
}

const Partitions = ({ data: { partitions } }: { readonly data: Gpu }) => (
  <section aria-labelledby="gpu-partitions">
    <h3 id="gpu-partitions" className="mb-1 text-13 font-semibold">
      {partitions.length === 1 ? 'Partition' : `${partitions.length} partitions`}
    </h3>
    {partitions.length === 0 && <p className="text-13 text-ink-soft">No partition is reported.</p>}
    <ul className="divide-y divide-line border-t border-line">
      {partitions.map((partition) => (
        <li key={partition.id} className="grid gap-1 py-2 text-13">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="flex max-w-full min-w-0 items-center gap-2">
              <Swatch meaning={partition.kind} />
              <span className="truncate font-mono text-12">{partition.name}</span>
              <span className="text-12 whitespace-nowrap text-ink-quiet">{MEANINGS[partition.kind]}</span>
            </span>
            <span className="ml-auto flex items-baseline gap-3 whitespace-nowrap">
              <FigureText
                figure={partition.busy}
                name={`Busy of ${partition.name}`}
                unknown={partition.kind === 'free' ? '' : '–'}
              />
              <FigureText figure={partition.memoryUsed} name={`Memory of ${partition.name}`} unknown="–" />
            </span>
          </div>
          {partition.holders.map((holder) => (
            <Holder key={holder.pod} holder={holder} />
          ))}
        </li>
      ))}
    </ul>
  </section>
)

type HolderView = Gpu['partitions'][number]['holders'][number]

function Holder({ holder: { workload, pod, tenant, since, evidence } }: { readonly holder: HolderView }) {
  const now = useNow()
  return (
    <p className="pl-4.5 text-12 wrap-anywhere text-ink-soft">
      <To path="/workloads" more={{ workload }} look="accent">
        <bdi>{workload}</bdi>
      </To>
      <span className="block text-ink-quiet">
        pod <bdi>{pod}</bdi>
        {tenant !== null && (
          <>
            , tenant <bdi>{tenant}</bdi>
          </>
        )}
        , held since <time dateTime={since}>{dayTime(since)}</time> ({ago(since, now)})
        {evidence === 'guess' && '; a guess: no one says which pod holds it'}
      </span>
    </p>
  )
}

function Faults({ data: { gpu, reading, faults } }: { readonly data: Gpu }) {
  return (
    <section aria-labelledby="gpu-faults">
      <h3 id="gpu-faults" className="mb-1 text-13 font-semibold">
        XID errors
      </h3>
      {gpu.fault !== null && (
        <p className="mb-1.5 flex gap-2 text-12 text-fault-ink">
          <WarningIcon />
          <span className="min-w-0 wrap-anywhere">{gpu.fault.message}</span>
        </p>
      )}
      <p className="text-12 text-ink-soft">
        {reading.xid === null ? 'Not measured (the exporter does not report them).' : xidWords(reading.xid)}
        {!faults.complete && ' Earlier errors are unknown while the database is down.'}
        {reading.xid !== null &&
          faults.complete &&
          faults.events.length === 0 &&
          ' None since Septet started watching this cluster.'}
      </p>
      <ol className="mt-1 divide-y divide-line">
        {faults.events.map(({ at, code, message }) => (
          <li key={`${at} ${message}`} className="flex gap-3 py-1.5 text-12">
            <time dateTime={at} className="shrink-0 font-mono text-ink-quiet">
              {dayTime(at)}
            </time>
            <span className="min-w-0 wrap-anywhere text-ink-soft">
              {code !== null && <span className="font-mono text-ink">XID {code} </span>}
              {message}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const xidWords = (code: number): string =>
  code === 0 ? 'None reported now.' : `Last code reported: ${code}. The exporter keeps it until the driver restarts.`

const Identity = ({ data: { gpu, node, identified, asOf } }: { readonly data: Gpu }) => (
  <section aria-label="Identity">
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-12">
      {(
        [
          ['UUID', gpu.id],
          ['Node', node.name],
          ['Pool', node.pool === '' ? 'no pool label' : node.pool],
          ['MIG', [node.mig.strategy, node.mig.config, node.mig.state].filter((part) => part !== null).join(', ')],
          ['Known from', IDENTIFIED[identified]],
          ['As of', asOf === null ? 'sample data' : dayTime(asOf)],
        ] as const
      ).map(([term, text]) => (
        <div key={term} className="contents">
          <dt className="text-ink-quiet">{term}</dt>
          <dd className="font-mono wrap-anywhere text-ink-soft">
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  </section>
)

const IDENTIFIED = {
  telemetry: 'an exporter that measures it',
  'resource-slice': 'a DRA driver that publishes it',
  label: 'a count in the labels of its node',
} as const
