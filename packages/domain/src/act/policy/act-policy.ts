import { recordOf } from '../../analyze/field-values.ts'
import { SECONDS_PER_HOUR, type Instant, type Ratio, ratio, type Seconds, seconds } from '../../units.ts'
import { switchesMode } from '../../plan/steps/step-words.ts'
import {
  ACTION_CLASSES,
  AUTO_CLASSES,
  type ActionClass,
  type AutoClass,
  type ClassByPerson,
} from '../../plan/words/action-class.ts'
import type { ActionRun } from '../action-run.ts'
import type { MaintenanceWindow } from './maintenance-window.ts'

/**
 * `observe`: nothing is proposed as a change; `suggest`: the exact change is shown for others to make; `approve`: Septet
 * makes it once somebody approved it; `auto`: Septet approves it itself, within a budget and a rollout.
 */
export const ACT_MODES = ['observe', 'suggest', 'approve', 'auto'] as const
export type ActMode = (typeof ACT_MODES)[number]

/** The most that may be touched; undefined where there is no limit. */
export type BlastLimits = {
  readonly pods: number | undefined
  readonly nodes: number | undefined
  readonly gpus: number | undefined
  /** What the touched GPUs cost, dollars an hour. */
  readonly usdPerHour: number | undefined
}

/** What a cluster lets Septet do. */
export type ActPolicy = {
  readonly modes: Readonly<Record<AutoClass, ActMode> & Record<ClassByPerson, Exclude<ActMode, 'auto'>>>
  readonly auto: {
    /** Classes that may be on auto at all; one that is on auto without standing here waits for approval. */
    readonly classes: readonly AutoClass[]
    /** What all runs that Septet approved itself may touch in an hour and in a day. */
    readonly budget: { readonly hour: BlastLimits; readonly day: BlastLimits }
    /** So many runs of a class have to be kept in a row before it may touch more nodes at once. */
    readonly keptToAdvance: number
    /** When a person let a class go on after it was halted; what happened before is forgotten. */
    readonly resumedAt: Readonly<Partial<Record<ActionClass, Instant>>>
  }
  /** Classes whose changes need a yes from two people, whatever their role; whoever proposed one is one of them. */
  readonly twoPeople: readonly ActionClass[]
  /** When changes may begin; none: always. */
  readonly windows: readonly MaintenanceWindow[]
  /** Names, or beginnings of names that end in `*`. */
  readonly protectedNamespaces: readonly string[]
  /** Workloads with one of these labels are left alone; a value may end in `*`, and `*` is any. */
  readonly protectedLabels: Readonly<Record<string, string>>
  /** What one run may touch, and all runs together in an hour and in a day. */
  readonly limits: { readonly run: BlastLimits; readonly hour: BlastLimits; readonly day: BlastLimits }
  readonly minimum: {
    readonly usdPerMonth: number
    /** Counts where the GPUs have no price. */
    readonly gpuHoursPerMonth: number
    readonly confidence: Ratio
  }
  /** How long an object is left alone after a change. */
  readonly coolDown: Seconds
  /** How long an approval holds until its change begins. */
  readonly approvalHolds: Seconds
  /** How long the owner of idle work is warned before it is stopped. */
  readonly warning: Seconds
  /** How long a change is watched before it is kept. */
  readonly watch: Seconds
}

/** Watches and touches nothing; what else it says holds once a class is let do more. */
export const DEFAULT_ACT_POLICY: ActPolicy = {
  modes: recordOf(ACTION_CLASSES, () => 'observe'),
  auto: {
    classes: [],
    budget: {
      hour: { pods: 10, nodes: 2, gpus: 16, usdPerHour: 100 },
      day: { pods: 50, nodes: 10, gpus: 80, usdPerHour: 500 },
    },
    keptToAdvance: 3,
    resumedAt: {},
  },
  twoPeople: [],
  windows: [],
  protectedNamespaces: ['kube-*', 'gpu-operator', 'nvidia-gpu-operator'],
  protectedLabels: {},
  limits: {
    run: { pods: 20, nodes: 4, gpus: 16, usdPerHour: 150 },
    hour: { pods: 40, nodes: 8, gpus: 32, usdPerHour: 300 },
    day: { pods: 200, nodes: 40, gpus: 160, usdPerHour: 1500 },
  },
  minimum: { usdPerMonth: 50, gpuHoursPerMonth: 24, confidence: ratio(0.5) },
  coolDown: seconds(6 * SECONDS_PER_HOUR),
  approvalHolds: seconds(24 * SECONDS_PER_HOUR),
  warning: seconds(24 * SECONDS_PER_HOUR),
  watch: seconds(SECONDS_PER_HOUR / 2),
}

/** What a run has to be allowed as: a plan that switches MIG mode is of that class, whatever it was proposed as. */
export const classOf = ({ class: proposed, plan }: Pick<ActionRun, 'class' | 'plan'>): ActionClass =>
  plan.steps.some(({ action }) => switchesMode(action)) ? 'mig-mode' : proposed

/** The mode of a class as it takes effect: auto only where the class is on the list of those that may be. */
type Modes = Pick<ActPolicy, 'modes'> & { readonly auto: Pick<ActPolicy['auto'], 'classes'> }
export function modeOf({ modes, auto }: Modes, kind: ActionClass): ActMode {
  const mode: ActMode = modes[kind]
  const mayBe = AUTO_CLASSES.some((each) => each === kind && auto.classes.includes(each))
  return mode === 'auto' && !mayBe ? 'approve' : mode
}
