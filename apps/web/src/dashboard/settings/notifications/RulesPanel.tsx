import { useQueryClient } from '@tanstack/react-query'

import { tell } from '../../../api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Field } from '../../../ui/Field.tsx'
import { ChevronRightIcon } from '../../../ui/icons.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { KIND_NAMES, SEVERITY_TONES } from '../../words/alert-kinds.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { RULE_KINDS, RULE_WORDS, ruleOf, SEVERITIES, type RuleKind, type Rules } from './rule-form.ts'
import { SendForm } from '../../form/SendForm.tsx'
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

function RuleForm({ kind, rules }: Omit<RowProps, 'mayChange'>) {
  const queries = useQueryClient()
  const rule = rules[kind]
  const name = KIND_NAMES[kind]
  const { unit } = RULE_WORDS[kind]
  const save = async (data: FormData): Promise<Sent> => {
    await tell('alertRulesPut', { rules: { ...rules, [kind]: ruleOf(data, rule) } })
    await queries.invalidateQueries({ queryKey: ['alertRulesGet'] })
    await queries.invalidateQueries({ queryKey: ['alertsPrometheusRule'] })
    return { done: `The rule ${name} is set.` }
  }
  return (
    <SendForm aria-label={`Rule ${name}`} className="sm:grid-cols-3" send={save} submit="Save rule">
      <label className="flex items-center gap-2 sm:col-span-3">
        <input type="checkbox" name="enabled" defaultChecked={rule.enabled} className="size-4 accent-(--ink)" />
        On
      </label>
      {unit !== undefined && (
        <Field
          label={`Threshold, ${unit}`}
          name="threshold"
          type="number"
          min="0.5"
          step="0.5"
          required
          defaultValue={rule.threshold}
        />
      )}
      <Field
        label="For at least, minutes"
        name="forMinutes"
        type="number"
        min="0"
        max="10080"
        required
        defaultValue={rule.forMinutes}
      />
      <SelectField
        label="Severity"
        name="severity"
        defaultValue={rule.severity}
        choices={SEVERITIES.map((value) => ({ value, words: value }))}
      />
      <ScopeFields scope={rule.scope} />
      <ChannelChoice chosen={rule.channels} />
    </SendForm>
  )
}

const ScopeFields = ({ scope }: { readonly scope: Rules[RuleKind]['scope'] }) => (
  <>
    {(['clusters', 'namespaces', 'tenants'] as const).map((field) => (
      <Field
        key={field}
        label={`Only these ${field}`}
        name={field}
        defaultValue={scope[field].join(', ')}
        verbatim
        note="Separated by commas. Leave empty for all."
      />
    ))}
  </>
)

function ChannelChoice({ chosen }: { readonly chosen: readonly string[] }) {
  const { data } = useAnswer('channelsList', {})
  return (
    <fieldset className="grid gap-1.5 sm:col-span-3">
      <legend className="mb-1.5 text-13 font-medium">Tells</legend>
      {data?.channels.length === 0 && <p className="text-12 text-ink-soft">No channel yet: add one above.</p>}
      <span className="flex flex-wrap gap-x-5 gap-y-2">
        {data?.channels.map(({ id }) => (
          <label key={id} className="flex items-center gap-2">
            <input
              type="checkbox"
              name="channels"
              value={id}
              defaultChecked={chosen.includes(id)}
              className="size-4 accent-(--ink)"
            />
            {id}
          </label>
        ))}
      </span>
    </fieldset>
  )
}
