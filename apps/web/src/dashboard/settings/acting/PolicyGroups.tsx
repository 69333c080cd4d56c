import { dollars } from '@septet/domain/words'

import { Field } from '../../../ui/Field.tsx'
import { NumberField } from '../../form/NumberField.tsx'
import { labelsOf, labelsText } from '../label-text.ts'
import { typedNames } from '../../words/role-words.ts'
import type { ActPolicy } from './act-policy.ts'
import { DurationField } from './DurationField.tsx'
import { Fold } from './Fold.tsx'
import { LimitTable } from './LimitTable.tsx'
import { limitsWords, percentOf, spanWords, windowsWords } from './policy-facts.ts'
import { WindowFields } from './WindowFields.tsx'

export type GroupProps = {
  readonly policy: ActPolicy
  readonly canChange: boolean
  /** Takes over what was typed. */
  readonly change: (changed: Partial<ActPolicy>) => void
}

/** What holds for every class, group by group, each folded. */
export const PolicyGroups = (props: GroupProps) => (
  <>
    <LimitGroup {...props} />
    <WorthGroup {...props} />
    <WindowGroup {...props} />
    <ProtectedGroup {...props} />
    <TimesGroup {...props} />
  </>
)

const LimitGroup = ({ policy, change }: GroupProps) => (
  <Fold
    title="Limits"
    says={`${limitsWords(policy.limits.run)} per action`}
    lead="How much changes may affect: pods stopped, nodes, GPUs, and the cost of these GPUs. Leave empty for no limit."
  >
    <LimitTable
      caption="Limits"
      scopes={[
        { scope: 'run', name: 'Per action' },
        { scope: 'hour', name: 'Per hour' },
        { scope: 'day', name: 'Per day' },
      ]}
      limits={policy.limits}
      change={(limits) => change({ limits })}
    />
  </Fold>
)

const WorthGroup = ({ policy: { minimum }, change }: GroupProps) => (
  <Fold
    title="Minimum benefit"
    says={`from ${dollars(minimum.usdPerMonth)}/mo and ${percentOf(minimum.confidence)}% confidence`}
    lead="Smaller or less certain savings are skipped."
  >
    <div className="grid max-w-3xl gap-4 sm:grid-cols-3">
      <NumberField
        label="Minimum saving"
        name="usdPerMonth"
        unit="$/mo"
        min={0}
        max={1e9}
        step={0.01}
        defaultValue={minimum.usdPerMonth}
        onValue={(usdPerMonth) =>
          change({ minimum: { ...minimum, usdPerMonth: numberOr(usdPerMonth, minimum.usdPerMonth) } })
        }
      />
      <NumberField
        label="Minimum saving, unpriced GPUs"
        name="gpuHoursPerMonth"
        unit="GPU-h/mo"
        min={0}
        max={1e9}
        step={0.1}
        note="Applies where GPUs have no price."
        defaultValue={minimum.gpuHoursPerMonth}
        onValue={(hours) =>
          change({ minimum: { ...minimum, gpuHoursPerMonth: numberOr(hours, minimum.gpuHoursPerMonth) } })
        }
      />
      <NumberField
        label="Minimum confidence"
        name="confidence"
        unit="%"
        min={0}
        max={100}
        step={0.1}
        defaultValue={percentOf(minimum.confidence)}
        onValue={(percent) =>
          change({
            minimum: { ...minimum, confidence: Math.round(numberOr(percent, minimum.confidence * 100) * 10) / 1000 },
          })
        }
      />
    </div>
  </Fold>
)

/** An emptied field, which the browser does not send either, changes nothing. */
const numberOr = (typed: number, before: number): number => (Number.isNaN(typed) ? before : typed)

const WindowGroup = ({ policy: { windows }, canChange, change }: GroupProps) => (
  <Fold
    title="Maintenance windows"
    says={windowsWords(windows)}
    lead="Changes start only inside a window, or at any time if there is none. A window that ends before it starts ends the next day."
  >
    <WindowFields windows={windows} canChange={canChange} change={(next) => change({ windows: next })} />
  </Fold>
)

const ProtectedGroup = ({ policy: { protectedNamespaces, protectedLabels }, change }: GroupProps) => (
  <Fold
    title="Protected"
    says={[...protectedNamespaces, ...Object.keys(protectedLabels)].join(', ') || 'nothing'}
    lead="Septet never stops, moves or shrinks these pods."
  >
    <div className="grid max-w-3xl gap-4 sm:grid-cols-2">
      <Field
        label="Namespaces"
        defaultValue={protectedNamespaces.join(', ')}
        verbatim
        note="Separated by commas. team-* matches every name that starts with team-."
        onChange={({ target }) => change({ protectedNamespaces: typedNames(target.value) ?? [] })}
      />
      <Field
        label="Labels"
        defaultValue={labelsText(protectedLabels)}
        placeholder="tier=gold"
        verbatim
        note="Separated by commas. tier=gold protects that value, tier=* any value."
        onChange={({ target }) => change({ protectedLabels: labelsOf(target.value) })}
      />
    </div>
  </Fold>
)

const DAY = 86_400

const TimesGroup = ({ policy, change }: GroupProps) => (
  <Fold
    title="Times"
    says={`watched for ${spanWords(policy.watch)}, then left alone for ${spanWords(policy.coolDown)}`}
    lead="How long approvals last, owners are warned, and changes are watched."
  >
    <div className="grid max-w-3xl gap-4 sm:grid-cols-2">
      <DurationField
        label="Approval expires after"
        note="An approved action that has not started by then expires."
        min={60}
        max={7 * DAY}
        defaultValue={policy.approvalHolds}
        onValue={(approvalHolds) => change({ approvalHolds })}
      />
      <DurationField
        label="Warning"
        note="How long owners of idle workloads are warned before Septet stops them."
        min={0}
        max={14 * DAY}
        defaultValue={policy.warning}
        onValue={(warning) => change({ warning })}
      />
      <DurationField
        label="Watch"
        note="How long a change is watched before it is kept. If anything gets worse, Septet undoes it."
        min={30}
        max={7 * DAY}
        defaultValue={policy.watch}
        onValue={(watch) => change({ watch })}
      />
      <DurationField
        label="Cool-down"
        note="How long Septet leaves a workload or node alone after changing it."
        min={0}
        max={30 * DAY}
        defaultValue={policy.coolDown}
        onValue={(coolDown) => change({ coolDown })}
      />
    </div>
  </Fold>
)
