import { Button } from '../../../ui/Button.tsx'
import type { MetricsDraft, MetricsText, Secret } from './connection-draft.ts'

/** What a field of the draft needs: its text, and what changes it. */
export type TextProps = (name: MetricsText) => {
  readonly value: string
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void
  readonly autoComplete: string
  readonly autoCapitalize: string
  readonly spellCheck: boolean
}

export type SecretNeeds = {
  readonly draft: MetricsDraft
  readonly change: (change: Partial<MetricsDraft>) => void
  readonly kept: readonly Secret[]
}

/** The note of a field whose stored text is never shown, and beside its label what removes it. */
export function secretProps({ draft, change, kept }: SecretNeeds, name: Secret, note: string) {
  if (!kept.includes(name)) return { note }
  const isRemoved = draft.removed.includes(name)
  const others = draft.removed.filter((each) => !goneWith(name).includes(each))
  const removed = isRemoved ? others : [...others, ...goneWith(name)]
  return {
    note: isRemoved ? 'Removed when you save.' : 'One is stored. Leave this empty to keep it.',
    aside: name !== 'prometheusKey' && (
      <Button look="quiet" className="-my-1 text-12" onClick={() => change({ removed })}>
        {isRemoved ? 'Keep' : 'Remove'}
        <span className="sr-only"> the stored {NAMES[name]}</span>
      </Button>
    ),
  }
}

/** A key without its certificate is of no use. */
const goneWith = (name: Secret): readonly Secret[] =>
  name === 'prometheusCert' ? ['prometheusCert', 'prometheusKey'] : [name]

const NAMES = {
  prometheusToken: 'token',
  prometheusPassword: 'password',
  prometheusHeaders: 'headers',
  prometheusAwsSecret: 'secret access key',
  prometheusCa: 'CA certificate',
  prometheusCert: 'client certificate',
  prometheusKey: 'private key',
} as const satisfies Record<Secret, string>
