import { useQueryClient } from '@tanstack/react-query'
import { LIMITS } from 'virtual:limits/alertRulesPut'

import { tell } from '../../../api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { ChevronRightIcon } from '../../../ui/icons.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { KIND_NAMES, SEVERITY_TONES } from '../../words/alert-kinds.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { limitsAt } from '../../form/limits.ts'
import type { FieldOf } from '../../form/SchemaFields.tsx'
import { SchemaForm } from '../../form/SchemaForm.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { RULE_KINDS, RULE_WORDS, type Rule, type RuleKind, type Rules } from './rule-words.ts'
import type { Sent } from '../../client/use-sending.ts'

/** When Septet alerts, kind by kind. */
export function RulesPanel({ mayChange }: { readonly mayChange: boolean }) {
  const answer = useAnswer('alertRulesGet', {})
  return (
    <Panel title="Rules">
      <Answered answer={answer}>
        {({ rules }) => (
          <>
            <Untold rules={rules} />
            <ul className="grid divide-y divide-line border-t border-line">
              {RULE_KINDS.map((kind) => (
                <RuleRow key={kind} kind={kind} rules={rules} mayChange={mayChange} />
              ))}
            </ul>
          </>
        )}
      </Answered>
    </Panel>
  )
}

/** Rules that tell nobody are counted once, not said at each. */
function Untold({ rules }: { readonly rules: Rules }) {
  const silent = RULE_KINDS.filter((kind) => rules[kind].enabled && rules[kind].channels.length === 0)
  if (silent.length === 0) return null
  return (
    <p className="mb-3 text-13 text-ink-soft">
      {silent.length === RULE_KINDS.length
        ? 'No rule has a channel yet: alerts show only on the Alerts page.'
        : `No one is notified about ${silent.map((kind) => KIND_NAMES[kind]).join(', ')}: no channel is set.`}
    </p>
  )
}

type RowProps = { readonly kind: RuleKind; readonly rules: Rules; readonly mayChange: boolean }

function RuleRow({ kind, rules, mayChange }: RowProps) {
  const name = KIND_NAMES[kind]
  const rule = rules[kind]
  return (
    <li className="py-2.5 text-13">
      <details className="group">
        <summary className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-2 gap-y-0.5 rounded-control sm:grid-cols-[auto_12rem_minmax(0,1fr)_auto_4.5rem] sm:gap-x-3">
          <span className="self-center text-ink-quiet transition-transform group-open:rotate-90">
            <ChevronRightIcon />
          </span>
          <span className="font-medium">{name}</span>
          <span className="text-ink-soft tabular-nums max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-2">
            {ruleWords(kind, rule)}
          </span>
          <span className="text-12 text-ink-soft wrap-anywhere empty:hidden max-sm:col-span-2 max-sm:col-start-2">
            {rule.channels.length > 0 && `tells ${rule.channels.join(', ')}`}
          </span>
          <span className="justify-self-end max-sm:col-start-3 max-sm:row-start-1 sm:col-start-5">
            <Badge tone={rule.enabled ? SEVERITY_TONES[rule.severity] : 'secondary'}>
              {rule.enabled ? rule.severity : 'off'}
            </Badge>
          </span>
        </summary>
        <div className="mt-3 grid gap-3 pb-2">
          <p className="max-w-2xl text-ink-soft">{RULE_WORDS[kind].meaning}</p>
          {mayChange && <RuleForm key={JSON.stringify(rule)} kind={kind} rules={rules} />}
        </div>
      </details>
    </li>
  )
}

function ruleWords(kind: RuleKind, { threshold, forMinutes, scope }: Rules[RuleKind]): string {
  const { unit } = RULE_WORDS[kind]
  const places = [...scope.clusters, ...scope.namespaces, ...scope.tenants]
  return [
    ...(unit === undefined
      ? []
      : [`${kind === 'efficiency' ? 'under' : 'from'} ${threshold}${unit === '%' ? '%' : ` ${unit}`}`]),
    forMinutes === 0 ? 'at once' : `for ${forMinutes} min`,
    ...(places.length === 0 ? [] : [`only ${places.join(', ')}`]),
  ].join(', ')
}

const fieldsOf = (kind: RuleKind, channels: readonly string[]): readonly FieldOf<Rule>[] => {
  const { unit } = RULE_WORDS[kind]
  return [
    { at: 'enabled', label: 'On', wide: true },
    ...(unit === undefined ? [] : [{ at: 'threshold', label: `Threshold, ${unit}` } as const]),
    { at: 'forMinutes', label: 'For at least, minutes' },
    { at: 'severity', label: 'Severity' },
    ...(['clusters', 'namespaces', 'tenants'] as const).map((place) => ({
      at: `scope.${place}` as const,
      label: `Only these ${place}`,
      note: 'Separated by commas. Leave empty for all.',
    })),
    {
      at: 'channels',
      label: 'Tells',
      note: channels.length === 0 ? 'No channel yet: add one above.' : undefined,
      choices: channels.map((value) => ({ value, words: value })),
      wide: true,
    },
  ]
}

function RuleForm({ kind, rules }: Omit<RowProps, 'mayChange'>) {
  const queries = useQueryClient()
  const channels = useAnswer('channelsList', {}).data?.channels ?? []
  const name = KIND_NAMES[kind]
  const save = async (rule: Rule): Promise<Sent> => {
    await tell('alertRulesPut', { rules: { ...rules, [kind]: rule } })
    await queries.invalidateQueries({ queryKey: ['alertRulesGet'] })
    await queries.invalidateQueries({ queryKey: ['alertsPrometheusRule'] })
    return { done: `The rule ${name} is set.` }
  }
  return (
    <SchemaForm
      aria-label={`Rule ${name}`}
      className="sm:grid-cols-3"
      limits={limitsAt(LIMITS, `rules.${kind}`)}
      value={rules[kind]}
      fields={fieldsOf(
        kind,
        channels.map(({ id }) => id),
      )}
      send={save}
      submit="Save rule"
    />
  )
}
