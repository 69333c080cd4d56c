import { Cell, Row, Table } from '../../../ui/Table.tsx'
import type { Limits } from './act-policy.ts'
import { LIMIT_KEYS, LIMIT_NAMES } from './policy-facts.ts'

type Props<Scope extends string> = {
  readonly caption: string
  readonly scopes: readonly { readonly scope: Scope; readonly name: string }[]
  readonly limits: Readonly<Record<Scope, Limits>>
  readonly change: (limits: Readonly<Record<Scope, Limits>>) => void
}

/** The most that may be touched, each scope a row; an empty field is no limit. */
export const LimitTable = <Scope extends string>({ caption, scopes, limits, change }: Props<Scope>) => (
  <Table caption={caption} columns={['At most', ...LIMIT_KEYS.map((key) => LIMIT_NAMES[key])]}>
    {scopes.map(({ scope, name }) => (
      <Row key={scope}>
        <Cell className="font-medium whitespace-nowrap sm:pt-3.5">{name}</Cell>
        {LIMIT_KEYS.map((key) => (
          <Cell key={key} name={LIMIT_NAMES[key]} className="max-sm:items-center">
            <input
              type="number"
              inputMode="decimal"
              min={0}
              step={key === 'usdPerHour' ? 'any' : 1}
              placeholder="no limit"
              aria-label={`${name}: ${LIMIT_NAMES[key]}`}
              defaultValue={limits[scope][key] ?? ''}
              onChange={({ target }) => {
                const value = target.value === '' ? null : target.valueAsNumber
                if (!Number.isNaN(value)) change({ ...limits, [scope]: { ...limits[scope], [key]: value } })
              }}
              className="h-9 w-28 rounded-control border border-(--free) bg-surface px-2.5 font-mono text-16 placeholder:font-sans placeholder:text-ink-quiet hover:border-ink-quiet disabled:text-ink-soft sm:text-13"
            />
          </Cell>
        ))}
      </Row>
    ))}
  </Table>
)
