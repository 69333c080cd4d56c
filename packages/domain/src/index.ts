export { once, onceFor } from './once-for.ts'
export { areLabelMatchers, LABEL_MATCHERS_WORDS } from './analyze/label-matchers.ts'
export { HEADER_LINES_WORDS, headerLines } from './analyze/header-lines.ts'
export {
  PROMETHEUS_SECRETS,
  prometheusSource,
  prometheusWords,
  wrongPrometheusWords,
  type PrometheusSource,
  type PrometheusWords,
  type QueryLimits,
} from './analyze/prometheus-source.ts'
export {
  compareText,
  gpuHours,
  instant,
  mib,
  ratio,
  seconds,
  SECONDS_PER_HOUR,
  SECONDS_PER_DAY,
  MINUTE_MS,
  HOUR_MS,
  DAY_MS,
  WEEK_MS,
  usd,
  usdPerGpuHour,
  watts,
} from './units.ts'
export type { GpuHours, Instant, Mib, Ratio, Seconds, Window } from './units.ts'
export type { AgentSeen, AgentStore, AgentVisit, PastWish, StoredReading } from './analyze/agent-store.ts'
export type { Log } from './log.ts'
export type {
  AlertStore,
  ClusterEventStore,
  ClusterReader,
  ClusterRecord,
  ClusterStore,
  ConnectionState,
  DeliveryStore,
  HistoryQuery,
  HistoryReader,
  ModelSection,
  LeadStore,
  Led,
  NoticeBoard,
  NoticeEars,
  Note,
  NoteStore,
  PriceStore,
  ReadModelStore,
  RecommendationSet,
  RecommendationStore,
  Retention,
  SettingStore,
  SnapshotStore,
  Store,
  StoredTables,
  TelemetryReader,
  UsageStore,
  PastWaitQuery,
  WaitQuery,
  WaitStore,
} from './ports.ts'

export type {
  AccessStore,
  AccountStore,
  ApiTokenStore,
  AuditStore,
  CodeStore,
  FactorStore,
  IdentityStore,
  KeyStore,
  LoginRequestStore,
  MailStore,
  MemberStore,
  SessionStore,
} from './access/access-store.ts'
export type { Person, PersonStore } from './access/person-store.ts'
export { FORGOTTEN_PERSON, UNSIGNED_AUDIT } from './access/audit.ts'
export type {
  Account,
  AccountChange,
  CodeKind,
  ExternalIdentity,
  JsonRecord,
  Mail,
  MailCode,
} from './access/account.ts'
export type { AuditEntry, AuditFact, AuditHead, AuditSeal } from './access/audit.ts'
export {
  accountParty,
  type Caller,
  isProgram,
  isServiceAccount,
  issuerParty,
  serviceAccountName,
  serviceAccountUser,
} from './access/caller.ts'
export type { TokenReviewer } from './access/token-reviewer.ts'
export type { LoginDecision, LoginRequest } from './access/login-request.ts'
export type { ApiToken, Member } from './access/member.ts'
export { mayActAs, ROLES, type Role } from './access/role.ts'
export type { AuthMethod, Factor, FactorChallenge, Session, SessionChange, SigningKey } from './access/session.ts'

export { ACT_MODES, classOf, DEFAULT_ACT_POLICY, modeOf } from './act/policy/act-policy.ts'
export type { ActPolicy } from './act/policy/act-policy.ts'
export { judgeApproval, judgeRun, outlookOf, SECOND_PERSON, type Outlook } from './act/guardrails/guardrails.ts'
export { yesesOf } from './act/guardrails/who-approves.ts'
export type { ActQuestion, Approval, ObjectFacts } from './act/guardrails/act-context.ts'
export { keepOf, keepWords } from './act/owners/keep.ts'
export { IDLE_WARNING, stoppableOf } from './act/owners/stop-write.ts'
export { pricingOf } from './cost/prices-of.ts'
export { adviceOf, RUN_STATES, stateOf } from './act/action-run.ts'
export type {
  ActionRun,
  Baseline,
  RecordedWrite,
  RunState,
  StopOrder,
  Transition,
  WriteResult,
} from './act/action-run.ts'
export type { ActionStore, Fence, Intent, Measured } from './act/action-store.ts'
export { AccessRefused } from './act/cluster-writer.ts'
export type { ClusterWrite, ClusterWriter, LiveObject, ObjectRef, WriteOutcome } from './act/cluster-writer.ts'
export { decideStep } from './act/decide/decide-step.ts'
export { gapInSnapshot, lookAtFence } from './act/decide/fence-look.ts'
export { configsOf, decideLeftOverConfigs, type AddedConfig } from './act/decide/left-over-configs.ts'
export { freeWords, gapWords, holdsWords, shortfallOf, shortWords, takenWords } from './act/decide/keep-free-step.ts'
export { takenGpus } from './act/decide/taken-gpus.ts'
export { END_MACHINE } from './act/decide/remove-step.ts'
export type { LastDue } from './act/nodes/pool-budget.ts'
export { whereProtected } from './act/policy/where-protected.ts'
export { whyByHand, whyHandedOver } from './act/decide/why-by-hand.ts'
export { DEFAULT_PATIENCE } from './act/decide/decision.ts'
export type {
  Ruled as LiveAnswer,
  Deciding,
  StepDecision,
  Patience,
  StepAsk as LiveQuestion,
  StepContext,
} from './act/decide/decision.ts'
export { asPlanned } from './act/decide/repartition-step.ts'
export { asRead, liveNumberAt, textAt } from './act/live-object.ts'
export { rolloutOf } from './act/policy/rollout.ts'
export {
  firstDue,
  isRunStuck,
  ofThisStep,
  saysWait,
  spokenFor,
  waitingWords,
  wasAutomatic,
  wasHandedOver,
} from './act/policy/run-times.ts'
export { topStoppable } from './act/decide/top-object.ts'
export { lookAtObjects } from './act/decide/object-facts.ts'
export { podName } from './act/nodes/pods-that-leave.ts'
export { holdsBeside, lastBegun, stoppedByUndo, undoActions, undoStops } from './act/undo-stops.ts'
export { isCommon, signOf, type HeldWork, type KnownWork, type WorkSign } from './act/savings/same-work.ts'
export { measureSavings } from './act/savings/measure-savings.ts'
export { SAVING_EFFECTS, SAVING_STATES } from './act/savings/saving.ts'
export type {
  Amount,
  HeldElsewhere,
  HoursAfter,
  Realized,
  RunSaving,
  SavingEffect,
  SavingQuestion,
  SavingState,
} from './act/savings/saving.ts'
export type { CountedWork, SignsQuery, WorkQuery, WorkReader } from './act/savings/work-reader.ts'
export { promisedIn, realizedIn, savingsLedger } from './act/savings/savings-ledger.ts'
export type { SavingsLedger } from './act/savings/savings-ledger.ts'
export { EVIDENCE_KINDS, evidenceWords, journalLines, type JournalEvidence } from './act/journal/journal.ts'
export { rowText } from './plan/recommend/recorded-work.ts'
export { shadowMonth, type ShadowProgress } from './replay/shadow/shadow-month.ts'
export {
  isWrong,
  NOT_REPLAYED,
  SHADOW_OUTCOMES,
  type ShadowAction,
  type ShadowMonth,
  type ShadowQuestion,
} from './replay/shadow/shadow.ts'
export { REPLAYS } from './replay/shadow/replays.ts'
export { outcomeWords, shadowWords } from './replay/shadow/shadow-words.ts'
export { changedSince, type ChangedSince } from './act/verify/changed-since.ts'
export { regression } from './act/verify/regression.ts'
export { judgeWork } from './act/verify/work-setback.ts'
export type { WorkSigns, WorkVerdict } from './act/verify/work-setback.ts'
export { setByOthers } from './act/verify/set-by-others.ts'
export { unverified } from './act/verify/unverified.ts'
export {
  canBeUndone,
  reachedStep,
  goneNodes,
  isBeforeWriting,
  mayFollow,
  OPEN_STATES,
  OVER_STATES,
  SETBACK_STATES,
  WORKING_STATES,
} from './act/run-states.ts'
export { admissionMode, type AdmissionMode } from './act/admission/admission-labels.ts'
export type { AskingPod } from './act/admission/admission-pod.ts'
export type { AdmissionRecord, AdmissionStore } from './act/admission/admission-store.ts'
export { admissionView, type AdmissionView } from './act/admission/admission-view.ts'
export { decideAdmission, type AdmissionVerdict } from './act/admission/decide-admission.ts'
export type { PromisedInstance } from './act/admission/find-instance.ts'
export { byEveryOwner, knownSizes } from './act/admission/known-sizes.ts'
export { ADMISSION_CLASS, type AdmissionPermission } from './act/admission/why-left.ts'

export { plainProfiles, profileOf, sliceShare, type Board, type MigProfile } from './gpu/board.ts'
export { boardOfVm, partsPerGpu } from './gpu/device-parts.ts'
export { amdDevice, findModel, GPU_MODELS } from './gpu/catalog.ts'
export { findModelByCloudLabel } from './gpu/cloud-label.ts'
export { enumerateLayouts, maximalGeometries } from './gpu/enumerate-layouts.ts'
export { strandedShare, structuralShare } from './gpu/free-space.ts'
export type { Placement, ProfileName } from './gpu/geometry.ts'
export type { Range } from './gpu/gpu-model.ts'
export { arrange, inferPlacements } from './gpu/infer-placements.ts'
export { boardFor, BOARDS } from './gpu/known-boards.ts'
export { computeSlicesOf, geometryOf, isFeasible, occupancy, placeAt, placementMask } from './gpu/layout.ts'
export type { Geometry, Layout, PlacedInstance } from './gpu/layout.ts'
export { findModelByMachineType } from './gpu/machine-type.ts'
export { bestCompletion, bitCount, freeMemorySlices, placeable, placeableTogether } from './gpu/occupancy.ts'
export { productOf } from './gpu/product-name.ts'
export { parseProfileName, resourceOfProfile } from './gpu/profile-name.ts'
export { WHOLE_GPU, WHOLE_GPU_RESOURCE } from './gpu/whole-gpu.ts'
export { isGpuResource, isMisspelledGpu, readCount } from './gpu/gpu-resource.ts'
export { refusedAmount } from './cluster/extended-amounts.ts'
export { readQuantity } from './cluster/quantity.ts'

export { assembleSnapshot } from './cluster/assemble.ts'
export type { ClusterEvent, ClusterEventQuery } from './cluster/cluster-event.ts'
export {
  CONNECTION_STEPS,
  type ActorPolicyState,
  type ConnectionItem,
  type ConnectionStep,
} from './cluster/connection-step.ts'
export { FAULT_XIDS } from './cluster/gpu-fault.ts'
export { allocationsOf, namespaceOf } from './cluster/held-by.ts'
export { offerOf, offerOfMachine } from './cluster/node-offer.ts'
export type {
  Allocation,
  ClusterSnapshot,
  Inventory,
  GpuShare,
  InventoryDevice,
  InventoryNode,
  Queue,
} from './cluster/inventory.ts'
export { HOLDER_EVIDENCE } from './cluster/inventory.ts'
export { tellsOfOthers } from './cluster/mixed-tenants.ts'
export type { InferenceReader, TokenCount, TokenCounts } from './cluster/inference-reader.ts'
export { withCaches } from './cluster/reserved-cache.ts'
export { migPartitionId } from './cluster/node.ts'
export type { Gpu, GpuId, GpuNode, MigState, Partition, PartitionId, Problem, Sharing } from './cluster/node.ts'
export { UNCONSTRAINED, UNKNOWN_ROOM } from './cluster/scheduling.ts'
export { isControllersLabel, matchLabels } from './cluster/neighbors.ts'
export type { Neighbors, OtherNode, Repulsion } from './cluster/neighbors.ts'
export type {
  DisruptionBudget,
  NodeRequirement,
  NodeRoom,
  PodScheduling,
  Cohort,
  PriorityClass,
  CohortQuota,
  Quota,
  QueueOwner,
  QuotaFlavor,
  Taint,
  Toleration,
} from './cluster/scheduling.ts'
export { waitCause } from './cluster/wait-cause.ts'
export type {
  GpuContainer,
  GpuRequest,
  Pod,
  PodId,
  PodTemplate,
  Waiting,
  ReservedCache,
  Workload,
  WorkloadClass,
  WorkloadId,
  WorkMarks,
} from './cluster/workload.ts'
export type { KubernetesEvent, OwnerLink, WorkloadObjects } from './cluster/workload-objects.ts'

export { addReading, bucketStart, openBucket, rowsOf, type OpenBucket, type Reading } from './analyze/accumulate.ts'
export { dateText, monthAfter } from './analyze/civil-date.ts'
export { clusterChanges, rememberChanges, type ChangeMemory, type ChangeSources } from './analyze/cluster-changes.ts'
export { meanOf, quantileOf } from './analyze/distribution.ts'
export { enrichHistory, historyContext } from './analyze/enrich-history.ts'
export { VISIBLE_WORK } from './analyze/historic-usage.ts'
export { fillHoles, holesIn, isMissing, type Hole, type Told } from './analyze/holes.ts'
export { followInventory, forgetInventory, type KnownGpus } from './analyze/known-inventory.ts'
export {
  MEASURE_NAMES,
  MEASURES,
  measurements,
  NO_PEAKS,
  NOTHING_MEASURED,
  PEAKS,
  peaksOf,
  recordOf,
  SAMPLE_FIELDS,
  SHOWN_FIELDS,
  SHOWN_MEANS,
} from './analyze/field-values.ts'
export type { FieldValues, Measure, Peaks, SampleField, ShownField, ShownMean } from './analyze/field-values.ts'
export { FIELDS, KEPT, type Field } from './analyze/fields.ts'
export { clampRatio, hoursOf, unknown, type Figure } from './analyze/figure.ts'
export { brokenGpus, type BrokenGpu } from './analyze/broken-gpus.ts'
export { partsOfSnapshot, unheldPartitions, type GpuPart } from './analyze/gpu-parts.ts'
export type { GpuStay } from './analyze/gpu-stay.ts'
export type { HistoricUsage, HistoryBatch, PastOwner } from './analyze/historic-usage.ts'
export { idleNow, markIdle, openStretches } from './analyze/idle.ts'
export { mergeTotals } from './analyze/usage-sum.ts'
export { mergeUsage } from './analyze/merge-usage.ts'
export { layoutOf, migEfficiency, strandedSlices, type MigEfficiency } from './analyze/mig-efficiency.ts'
export { indexSamples, telemetryOf } from './analyze/part-telemetry.ts'
export { DEFAULT_POLICY, type AnalysisPolicy, type IdlePolicy } from './analyze/policy.ts'
export { judgeReading } from './analyze/quality.ts'
export { expectedOf } from './analyze/quality-expected.ts'
export { firstText, holderIn, hostsIn } from './analyze/series-labels.ts'
export type { LabelTexts } from './analyze/series-labels.ts'
export type { QualityMemory } from './analyze/quality-memory.ts'
export type { RightSize } from './analyze/right-size.ts'
export { markOversized, oversizedTotals, sizesToForce, type SizesInForce } from './analyze/size-in-force.ts'
export { unexplainedTime } from './analyze/data-quality.ts'
export { QUALITY_REASONS } from './analyze/sample.ts'
export { servedTokens, type ServedRow, type ServedTokens } from './analyze/served-tokens.ts'
export type { DeviceSample, JudgedSample, QualityReason, TargetState, TelemetryReading } from './analyze/sample.ts'
export { droppedBy, sumOf, type StoredPart } from './analyze/stored-usage.ts'
export {
  daysTouching,
  isQuickRange,
  monthsTouching,
  parseRange,
  QUICK_RANGE_MS,
  rangeText,
  secondText,
  spanBefore,
  spanOfRange,
  theLast,
} from './analyze/time-range.ts'
export type { CalendarRange, QuickRange, TimeRange, ZonedDay } from './analyze/time-range.ts'
export type { ClassUsage } from './analyze/trend.ts'
export { completeRow, SEEN_KINDS, SPAN_SECONDS, USAGE_GROUPS, USAGE_KINDS } from './analyze/usage.ts'
export type { Span, TotalsQuery, UsageGroup, UsageKind, UsageQuery, UsageRow, UsageTotal } from './analyze/usage.ts'
export { sumUsage, totalsOf } from './analyze/usage-sum.ts'
export { isWaitCause, WAIT_CAUSES } from './analyze/wait-causes.ts'
export { followWaits, NO_WAITS, recallWaits } from './analyze/waits.ts'
export type { WaitMemory, WaitStretch, WaitTotal } from './analyze/waits.ts'
export type { PastWait } from './analyze/past-wait.ts'
export { dateIn, instantIn, isZone, startOfDate, wallText } from './analyze/zoned-time.ts'

export { BILL_KINDS, type BillKind } from './bill/bill.ts'
export { billPrices } from './bill/bill-prices.ts'
export { compareOpenCost, reasonsOnce, type OpenCostComparison, type OpenCostFigures } from './bill/compare-opencost.ts'
export { centsThatAddUp, dollarsOf, type Nanos } from './bill/exact-money.ts'
export type { FocusRecord } from './bill/focus-line.ts'
export { recordOfValues } from './bill/focus-values.ts'
export { csvRecords, readBill, type ReadBill } from './bill/read-bill.ts'
export { reconcileBill, type Reconciliation, timeNotOnBill } from './bill/reconcile-bill.ts'

export { ANALYSIS_GROUPS, analyzeCluster, type AnalysisSources } from './cost/analyze-cluster.ts'
export { analyzeNamespaces, NOT_OF_NAMESPACES } from './cost/analyze-namespaces.ts'
export { budgetState, monthOutlook } from './cost/budget.ts'
export type { Budget, BudgetState, DayCost, MonthOutlook, OutlookSources } from './cost/budget.ts'
export type { ClusterAnalysis } from './cost/cluster-analysis.ts'
export { cellsOf, cutCost, type CostCell } from './cost/cost-cells.ts'
export {
  COST_PART_WORDS,
  COST_PARTS,
  costOf,
  heldOf,
  isIdleKnown,
  toMillionths,
  WASTED_PARTS,
  wasteOf,
} from './cost/cost-parts.ts'
export type { CostedTotal, CostGroup, CostPart, CostParts, Parts } from './cost/cost-parts.ts'
export type { FleetCost } from './cost/fleet-cost.ts'
export { ledgerSums, totalOf, withCorrection, type SealedMonth } from './cost/sealed-month.ts'
export { LOOK_BACK_DAYS } from './cost/forecast.ts'
export type { MonthlyPoint, MonthsRead } from './cost/months.ts'
export { perMonth } from './cost/per-month.ts'
export { monthAt, previewPrice } from './cost/preview-price.ts'
export { ownedPrice, type OwnedHardware } from './cost/owned-price.ts'
export type { PriceBook, PriceEntry } from './cost/price.ts'
export { nodeProblems, type NoMigManager } from './cluster/node-problems.ts'
export { unsoundGpu, unsoundNode } from './cluster/soundness.ts'
export { whyInUse } from './plan/guardrail/keeps-nodes.ts'
export type { Price } from './cost/price-book.ts'
export { costPeriods, pricePeriods, type PeriodTotals } from './cost/priced-periods.ts'
export { columnToCents, toCents } from './cost/split-to-cents.ts'
export { priceChanges, pricesOf } from './cost/prices-of.ts'
export { shippedPrices } from './cost/shipped-prices.ts'
export { waitLedger, type CauseWait, type WaitAmount, type WaitLedger } from './cost/wait-ledger.ts'
export { tenantOf, type TenantRule, type TenantSubject } from './cost/tenant.ts'
export { sumTokens, tokenCost, type TokenAmounts, type TokenGroup } from './cost/token-cost.ts'
export type { WorkloadUsage } from './cost/workload-usage.ts'

export type { Action, DurationEstimate, GpuTarget, KeepFree, Landing, Plan, PlanStep } from './plan/words/action.ts'
export { appointmentOf } from './plan/words/kept-gpus.ts'
export { CAREFUL_POLICY, type PlanPolicy } from './plan/words/plan-policy.ts'
export type { Wish } from './plan/words/wish.ts'

export { isServedByDra } from './fleet/gpu-state.ts'

export { SHOWN_POLICY } from './plan/recommend/proposal.ts'
export { applyStep, checkPlan, wayBack } from './plan/steps/check-plan.ts'
export { describeAction } from './plan/steps/step-words.ts'
export { makePlan } from './plan/steps/make-plan.ts'
export { geometryWords, switchesMode } from './plan/steps/step-words.ts'

export { claimTemplate, claimTemplateName, devicePluginConfig, profileClass } from './plan/documents/gpu-documents.ts'
export { impossibleNames, isKubernetesName, type ExportedCluster } from './plan/documents/kubernetes-name.ts'
export { isLabelValue } from './plan/documents/kubernetes-name.ts'
export { migPartedOf } from './plan/words/mig-config.ts'
export {
  evictionOf,
  placePatch,
  resizePatches,
  stopPatch,
  type WorkloadPatch,
} from './plan/documents/workload-documents.ts'

export type { LayoutPlan } from './plan/layout/layout-answer.ts'
export type { DemandClass, Fit, LayoutProblem, SupplyClass } from './plan/layout/layout-problem.ts'
export { planLayout } from './plan/layout/plan-layout.ts'

export { GPU_MILLI, gpuMilliOf, type Demand } from './plan/place/demand.ts'
export { at, fitsGpu, fitsNode, shareFleet, place } from './plan/place/fleet.ts'
export type { ShareNode } from './plan/place/fleet.ts'

export { learnOverrun } from './plan/right-size/learn-overrun.ts'
export { chanceOfOverrun, type OverrunModel } from './plan/right-size/overrun-model.ts'
export { rightSizeFor } from './plan/right-size/right-size-for.ts'
export { rightSizeOptions, type RightSizeOptions } from './plan/right-size/right-size-options.ts'
export type { UsageBucket, UsageHistory } from './plan/right-size/usage-history.ts'

export type { Policy } from './plan/policy/policy.ts'
export { scoredChooser } from './plan/policy/scored-chooser.ts'

export { seededChance } from './plan/simulate/seeded-chance.ts'

export { explainGpu } from './fleet/explain-gpu.ts'
export {
  lookForRoom,
  roomAnswer,
  type Looked,
  type RoomAnswer,
  type RoomBlocked,
  type RoomPlace,
} from './fleet/profile-room.ts'
export { judgeWaits, type WaitJudge } from './plan/explain/wait-verdict.ts'
export { waitersOf } from './plan/explain/waiters.ts'
export { waitsOfSnapshot } from './plan/explain/waits-now.ts'

export { unblock } from './plan/repack/unblock.ts'

export { reconfigure } from './plan/reconfigure/reconfigure.ts'
export type {
  GpuNow,
  PlannedMove,
  Reconfiguration,
  ReconfigureGoal,
  ReconfigureProblem,
} from './plan/reconfigure/reconfigure-problem.ts'

export { planFleet, planning, type PlanProgress } from './plan/fleet-plan/plan-fleet.ts'
export { stepsDigest } from './plan/words/steps-digest.ts'
export type { FleetQuestion } from './plan/fleet-plan/fleet-question.ts'
export type { FleetGoal, FleetPlan } from './plan/fleet-plan/plan-fleet-answer.ts'

export { plannedGpus, type HeldGpu, type PlannedGpu } from './plan/steps/planned-gpus.ts'
export { KEPT_REASONS } from './plan/recommend/kept.ts'
export { recommend } from './plan/recommend/recommend.ts'
export { workloadsToStudy, type RecommendPolicy } from './plan/recommend/recommend-context.ts'
export type { Dismissal, Recommendation, Saving } from './plan/recommend/recommendation.ts'
export { learnFleetOverrun } from './plan/right-size/learn-overrun.ts'
export type { Kept } from './plan/recommend/kept.ts'
export type { UnansweredHolder } from './plan/recommend/unanswered.ts'
export { studySizeIn, type SizeLimits, type SizeStudy } from './plan/recommend/size-study.ts'

export { openGpuSet } from './replay/scenario/open-gpu-set.ts'
export { BEST_FIT, PLACINGS } from './replay/scenario/placings.ts'
export { runScenario } from './replay/scenario/run-scenario.ts'
export type {
  FleetChange,
  GpuCut,
  Scenario,
  ScenarioGroup,
  ScenarioOutcome,
  ScenarioResult,
  ScenarioSource,
  ScenarioStart,
  ScenarioWay,
} from './replay/scenario/scenario.ts'
export { gpusOf } from './replay/scenario/scenario-fleet.ts'
export { jobsOfStays, spreadWithinRows } from './replay/scenario/scenario-source.ts'

export type { Appointment, AppointmentAnswer } from './plan/appointment/appointment.ts'
export type { AppointmentAsk } from './plan/appointment/appointment.ts'
export { timeText } from './plan/appointment/appointment-words.ts'
export { tolerationsFor } from './plan/appointment/let-in.ts'
export { planAppointment } from './plan/appointment/plan-appointment.ts'
export { estimateWait } from './plan/start/wait-estimate.ts'
export { checkStart } from './plan/start/check-start.ts'
export { checkConfigs } from './plan/check/check-configs.ts'
export type { ConfigCheck, ConfigFile, PluginConfig, ReadConfigs } from './plan/check/config-check.ts'
export { pointerPart, SUSPENDED } from './plan/start/asked-job.ts'
export { whyWaits, type WaitAnswer } from './plan/start/why-waits.ts'
export type {
  AmountEdit,
  AskedJob,
  AskedPods,
  ContainerEdit,
  ManifestReading,
  ReadManifest,
  SpreadRule,
} from './plan/start/asked-job.ts'
export type { StartAnswer } from './plan/start/start-answer.ts'
export { isKeptLabel } from './cluster/kept-labels.ts'

export { heroBound, heroFigures } from './plan/hero/hero-figures.ts'
export { heroPlan } from './plan/hero/hero-stream.ts'

export { ALERT_KINDS, ALERT_SEVERITIES } from './alert/alert.ts'
export type {
  Alert,
  AlertAcknowledgement,
  AlertFigure,
  AlertKind,
  AlertMark,
  AlertQuery,
  AlertSilence,
} from './alert/alert.ts'
export { ALERT_KIND_WORDS, DEFAULT_ALERT_RULES, type AlertRule, type AlertRules } from './alert/alert-rule.ts'
export type { Delivery, DeliveryAttempt, DeliveryQuery } from './alert/delivery.ts'
export { evaluateAlerts } from './alert/evaluate-alerts.ts'
export { markTold, noticesOf, type Notice } from './alert/notices.ts'
export type { AlertEvidence, AlertQuestion, BudgetReading, Observation } from './alert/observation.ts'
export { observe } from './alert/observe.ts'
export type { ShareFleet } from './plan/place/fleet.ts'
export type { GpuDemand } from './plan/place/demand.ts'
export type { Spot } from './plan/place/fleet.ts'
export type { TypicalDemand } from './plan/policy/policy.ts'
export { firstWholeGpus } from './plan/place/fleet.ts'
export { septet } from './plan/policy/septet.ts'
export { septetLearning } from './plan/policy/septet.ts'
export { typicalDemands } from './plan/policy/typical-demands.ts'
