import { switchesMode, type DurationEstimate, type ExportedCluster, type Plan, type PlanStep } from '@septet/domain'
import { markdownText } from './plan-files-quote.ts'

export type PlanSummary = {
  readonly plan: Plan
  readonly back: { readonly lost: readonly string[] }
  /** Nodes of the snapshot, so that a GPU is told by where it is. */
  readonly nodes: ExportedCluster['nodes']
}

/** The plan for a pull request: what, how good, step by step with who is displaced, risks, the way back, what was refused. */
export function planMarkdown({ plan, back, nodes }: PlanSummary): string {
  const displaced = [...new Set(plan.steps.flatMap((step) => step.displaced))]
  return [
    `# ${markdownText(plan.title === '' ? plan.id : plan.title)}`,
    '',
    `Plan \`${plan.id}\` for cluster ${markdownText(plan.cluster)}, made from its state at ${isoTime(plan.madeFrom)}. Check it against a fresher state before you apply it.`,
    '',
    `- **Steps**: ${plan.steps.length}; you may stop after any of them and leave a legal cluster.`,
    `- **Displaced pods**: ${displaced.length === 0 ? 'none' : displaced.length}.`,
    `- **Duration**: ${totalWords(plan.steps)}.`,
    `- **How good**: ${plan.bound === undefined ? 'no bound was computed for this plan' : markdownText(plan.bound)}.`,
    '',
    '## Steps',
    '',
    ...(plan.steps.length === 0 ? ['Nothing to do.'] : stepTable(plan.steps)),
    '',
    ...moveLines(plan, nodes),
    '## Risks',
    '',
    ...riskLines(plan).map((line) => `- ${line}`),
    '',
    '## Rollback',
    '',
    '`undo/commands.sh` reverts the steps, last step first.',
    '',
    ...back.lost.map((sentence) => `- ${markdownText(sentence)}`),
    ...(back.lost.length === 0 ? ['- Everything can be restored.'] : []),
    '',
    '## Refused',
    '',
    ...(plan.refused.length === 0 ? ['- Nothing.'] : []),
    ...plan.refused.map(({ object, message }) => `- ${markdownText(object)}: ${markdownText(message)}`),
    '',
  ].join('\n')
}

function stepTable(steps: readonly PlanStep[]): readonly string[] {
  const timed = steps.some(({ notBefore }) => notBefore !== undefined)
  return [
    `| # |${timed ? ' Due |' : ''} Step | Afterwards | Displaced | Duration |`,
    `| --- |${timed ? ' --- |' : ''} --- | --- | --- | --- |`,
    ...steps.map(({ number, title, effect, displaced, duration, notBefore }) => {
      const pods = displaced.length === 0 ? '–' : displaced.map(markdownText).join(', ')
      const due = timed ? ` ${notBefore === undefined ? 'next' : isoTime(notBefore)} |` : ''
      return `| ${number} |${due} ${markdownText(title)} | ${markdownText(effect)} | ${pods} | ${durationWords(duration)} |`
    }),
    ...(timed
      ? [
          '',
          '`commands.sh` goes as far as the time allows and says when to run it again; run it every few minutes, or at the times above. To call it off, stop running it and run `undo/commands.sh`.',
        ]
      : []),
  ]
}

function moveLines({ moves }: Plan, nodes: PlanSummary['nodes']): readonly string[] {
  if (moves.length === 0) return []
  const places = new Map(
    nodes.flatMap(({ name, gpus }) => gpus.map(({ id, index }) => [id, `GPU ${index} of ${name} (${id})`] as const)),
  )
  return [
    '## Where displaced pods find room',
    '',
    ...moves.map(({ pod, to }) => {
      const what =
        to === undefined
          ? 'counted among the GPUs that are free, or waits'
          : to.profile === ''
            ? `all of ${places.get(to.gpu) ?? to.gpu}`
            : `${to.profile} on ${places.get(to.gpu) ?? to.gpu}`
      return `- ${markdownText(pod)}: ${markdownText(what)}`
    }),
    '',
  ]
}

function riskLines({ steps }: Plan): readonly string[] {
  const kinds = new Set(steps.map(({ action }) => action.kind))
  const sources = [...new Set(steps.map(({ duration }) => duration.source))].toSorted()
  return [
    ...(kinds.has('repartition') ? REPARTITION_RISKS : []),
    ...(steps.some(({ action }) => switchesMode(action))
      ? [
          '**MIG mode changes**, and the node may restart for it, which stops every pod on it: do it in a maintenance window.',
        ]
      : []),
    ...(kinds.has('share')
      ? ['Replicas of a GPU are not isolated from one another: keep other namespaces off these nodes by a taint.']
      : []),
    ...(kinds.has('create-instance')
      ? ['Under DRA a step waits for a pod with a claim: another waiting pod can take the room first.']
      : []),
    'Room for displaced pods is counted, not reserved: other waiting pods can take it first.',
    'Only pods that ask for GPUs were looked at.',
    ...sources.map((source) => `Duration, ${markdownText(source)}.`),
  ]
}

const REPARTITION_RISKS = [
  'The commands add configurations to the ConfigMap that the ClusterPolicy names and restart mig-manager on the changed nodes alone. Where the policy names none, they stop before the first step: prepare.sh says what it takes, once per cluster.',
  'While a node is repartitioned, its device plugin, GPU feature discovery and DCGM are down: no new GPU pod starts there and telemetry has a gap.',
  'mig-manager never evicts: a process that still holds a changed GPU ends the change as failed, and failed is not tried again until the label changes.',
  'If the state stays pending for more than ten minutes and nvidia.com/gpu.deploy labels still say paused-for-mig-change, set those to true and give nvidia.com/mig.config another name.',
]

const durationWords = ({ low, high, source }: DurationEstimate): string =>
  `${low}–${high} s${source.startsWith('assumed') ? ' (assumed)' : ''}`

function totalWords(steps: readonly PlanStep[]): string {
  const low = steps.reduce((sum, { duration }) => sum + duration.low, 0)
  const high = steps.reduce((sum, { duration }) => sum + duration.high, 0)
  const assumed = steps.some(({ duration }) => duration.source.startsWith('assumed'))
  return `${low}–${high} s one after another${assumed ? '; the ranges are assumed where they were not measured on this cluster' : ''}`
}

export const isoTime = (at: number): string => new Date(at).toISOString()
