import { useState, type ReactNode } from 'react'
import { LIMITS } from 'virtual:limits/connectionsMetrics'

import { Button } from '../../../ui/Button.tsx'
import { boundsAt } from '../../form/limits.ts'
import { SchemaFields, type FieldOf } from '../../form/SchemaFields.tsx'
import { Segmented } from '../../form/Segmented.tsx'
import type { MetricsDraft, Secret } from './connection-draft.ts'

const SOURCES = [
  { value: 'prometheus', label: 'Prometheus' },
  { value: 'exporters', label: 'dcgm-exporter directly' },
  { value: 'none', label: 'None' },
] as const

type Props<D extends MetricsDraft> = {
  readonly draft: D
  readonly change: (edit: (before: D) => D) => void
  /** What is stored already, and stays while nothing is typed. */
  readonly kept?: readonly Secret[]
}

type Field = FieldOf<MetricsDraft>

/** Where the DCGM metrics of a cluster are. */
export function MetricsFields<D extends MetricsDraft>({ draft, change, kept = [] }: Props<D>) {
  const [open] = useState(() =>
    MORE.filter(({ names }) => names.some((name) => draft[name] !== undefined || kept.some((each) => each === name))),
  )
  const shown = (fields: readonly Field[]): ReactNode => (
    <SchemaFields<MetricsDraft>
      limits={LIMITS}
      fields={fields.map((field) =>
        withSecret(field, { draft, kept, remove: (texts) => change((d) => ({ ...d, ...texts })) }),
      )}
      value={draft}
      change={(edit) => change((before) => ({ ...before, ...edit(before) }))}
    />
  )
  return (
    <div className="grid gap-4">
      <div className="justify-self-start">
        <Segmented
          label="Source of metrics"
          options={SOURCES}
          value={draft.metrics}
          onChange={(metrics) => change((before) => ({ ...before, metrics }))}
        />
      </div>
      {draft.metrics === 'prometheus' && (
        <div className="grid gap-4 sm:grid-cols-2">
          {shown(PROMETHEUS)}
          {MORE.map(({ title, names, fields }) => (
            <details key={title} className="sm:col-span-2" open={open.some(({ names: each }) => each === names)}>
              <summary className="cursor-pointer text-13 text-ink-soft">{title}</summary>
              <div className="mt-3 grid gap-4 sm:grid-cols-2">{shown(fields)}</div>
            </details>
          ))}
        </div>
      )}
      {draft.metrics === 'exporters' && shown(EXPORTERS)}
      {draft.metrics === 'none' && (
        <p className="text-13 text-ink-soft">
          Allocation, placement and cost work without metrics. Utilization, idle time and right-sizing do not.
        </p>
      )}
    </div>
  )
}

type Stored = Required<Pick<Props<MetricsDraft>, 'draft' | 'kept'>> & {
  readonly remove: (texts: Partial<MetricsDraft>) => void
}

/** The note of a field whose stored text is never shown, and beside its label what removes it. */
function withSecret(field: Field, { draft, kept, remove }: Stored): Field {
  const name = kept.find((each) => each === field.at)
  if (name === undefined) return field
  const isRemoved = draft[name] === ''
  const next = isRemoved ? undefined : ''
  return {
    ...field,
    note: isRemoved ? 'Removed when you save.' : 'One is stored. Leave this empty to keep it.',
    aside: name !== 'prometheusKey' && (
      <Button
        look="quiet"
        className="-my-1 text-12"
        // A key without its certificate is of no use.
        onClick={() => remove({ [name]: next, ...(name === 'prometheusCert' && { prometheusKey: next }) })}
      >
        {isRemoved ? 'Keep' : 'Remove'}
        <span className="sr-only"> the stored {SECRETS[name]}</span>
      </Button>
    ),
  }
}

const SECRETS = {
  prometheusToken: 'token',
  prometheusPassword: 'password',
  prometheusHeaders: 'headers',
  prometheusAwsSecret: 'secret access key',
  prometheusCa: 'CA certificate',
  prometheusCert: 'client certificate',
  prometheusKey: 'private key',
} as const satisfies Record<Secret, string>

const EXPORTERS: readonly Field[] = [
  {
    at: 'exporterTargets',
    label: 'Metrics addresses',
    note: 'Separated by commas or spaces. Scraped directly; past usage is not available from these.',
    input: { placeholder: 'http://10.0.0.5:9400/metrics' },
  },
]

const PROMETHEUS: readonly Field[] = [
  {
    at: 'prometheusUrl',
    label: 'Address',
    note: 'Prometheus, Thanos, Mimir or VictoriaMetrics, with the path prefix where there is one.',
    wide: true,
    input: { placeholder: 'https://prometheus.example.com' },
  },
  { at: 'prometheusToken', label: 'Bearer token', note: 'Stored encrypted. Optional.', input: { type: 'password' } },
  { at: 'prometheusTenant', label: 'Tenant', note: 'X-Scope-OrgID (Mimir, Cortex). Optional.' },
  {
    at: 'prometheusMatchers',
    label: 'Label matchers',
    note: 'If several clusters share this engine: what the series of this cluster have in common, as in PromQL.',
    wide: true,
    input: { placeholder: 'cluster="prod"' },
  },
]

/** What is pasted in several lines. */
const pasted = (placeholder: string) => ({ wide: true, rows: 4, input: { placeholder } }) as const
const CERTIFICATE = pasted('-----BEGIN CERTIFICATE-----')

/** What few engines ask for; each part is open where something of it is set. */
const MORE: readonly {
  readonly title: string
  readonly names: readonly Exclude<keyof MetricsDraft, 'metrics' | 'exporterTargets'>[]
  readonly fields: readonly Field[]
}[] = [
  {
    title: 'User name and password',
    names: ['prometheusUser'],
    fields: [
      { at: 'prometheusUser', label: 'User name', note: 'Basic authentication.' },
      { at: 'prometheusPassword', label: 'Password', note: 'Stored encrypted.', input: { type: 'password' } },
    ],
  },
  {
    title: 'Amazon Managed Service for Prometheus',
    names: ['prometheusAwsRegion'],
    fields: [
      {
        at: 'prometheusAwsRegion',
        label: 'Region',
        note: 'Requests are signed (SigV4).',
        input: { placeholder: 'eu-west-1' },
      },
      { at: 'prometheusAwsKeyId', label: 'Access key ID', note: 'Of a user with aps:QueryMetrics.' },
      {
        at: 'prometheusAwsSecret',
        label: 'Secret access key',
        note: 'Stored encrypted.',
        input: { type: 'password' },
      },
    ],
  },
  {
    title: 'Headers',
    names: ['prometheusHeaders'],
    fields: [
      {
        at: 'prometheusHeaders',
        label: 'Headers',
        note: 'One a line, sent with every request. Stored encrypted.',
        ...pasted('X-Team: gpu'),
      },
    ],
  },
  {
    title: 'Certificates',
    names: ['prometheusCa', 'prometheusCert'],
    fields: [
      {
        at: 'prometheusCa',
        label: 'CA certificate',
        note: 'PEM. Trusted in addition to well-known authorities.',
        ...CERTIFICATE,
      },
      {
        at: 'prometheusCert',
        label: 'Client certificate',
        note: 'PEM. Shown to an engine that asks for one (mTLS).',
        ...CERTIFICATE,
      },
      {
        at: 'prometheusKey',
        label: 'Private key',
        note: 'PEM, without a passphrase. Stored encrypted.',
        ...pasted('-----BEGIN PRIVATE KEY-----'),
      },
    ],
  },
  {
    title: 'Query limits',
    names: ['prometheusQueries', 'prometheusQuerySeconds'],
    fields: [
      {
        at: 'prometheusQueries',
        label: 'Queries at the same time',
        note: `${boundsAt(LIMITS, 'prometheusQueries')}. Leave empty for no limit.`,
      },
      {
        at: 'prometheusQuerySeconds',
        label: 'Seconds a minute',
        note: `All queries together, ${boundsAt(LIMITS, 'prometheusQuerySeconds')}. Beyond it, past usage waits and readings are skipped. Leave empty for no limit.`,
      },
    ],
  },
]
