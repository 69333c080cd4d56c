import { instant, type Store, type SettingStore, type Caller } from '@septet/domain'
import {
  type OutputOf,
  type policiesGet,
  type aboutGet,
  invalidInput,
  type demoFaultsAdd,
  type demoFaultsList,
  type InputOf,
  notFound,
} from '@septet/contract'
import type { AnswersOf } from '../answering/answering.ts'
import {
  readPolicies,
  DEFAULT_POLICIES,
  writePolicies,
  type KeptPolicies,
  type PoliciesChange,
} from '../../policies.ts'
import { statusNow, type ThisServer } from './status-lines.ts'
import { getRetention, putRetention } from './retention.ts'
import { isoOf } from '../answering/view.ts'

type Needs = {
  readonly installation: Installation
  readonly store: Store
  readonly now: () => number
}

/** What is told and decided of this Septet as a whole. */
export const settingsAnswers = ({
  installation,
  store,
  now,
}: Needs): AnswersOf<'policies' | 'retention' | 'about' | 'status'> => ({
  policiesGet: async () => policiesView(await readPolicies(store.settings)),
  /** Replaces them; pipelines go by them from their next turn on. */
  policiesPut: ({ edited, ...policies }, { caller }) =>
    putPolicies(store.settings, {
      policies,
      at: now(),
      by: caller.name,
      edited: typeof edited === 'string' ? Date.parse(edited) : edited,
    }),
  retentionGet: () => getRetention(store),
  retentionPut: (input) => putRetention(store, input, now()),
  statusGet: (_input, { seen }) => statusNow(seen.clusters(), installation, instant(now())),
  aboutGet: (_input, { caller }) => describeInstallation(installation, store, caller),
})

type PoliciesView = OutputOf<typeof policiesGet>

/** Replaces them; pipelines go by them from their next turn on. */
export async function putPolicies(settings: SettingStore, change: PoliciesChange): Promise<PoliciesView> {
  const kept = await writePolicies(settings, change)
  if (kept !== undefined) return policiesView(kept)
  const { changedBy = 'Somebody' } = await readPolicies(settings)
  throw invalidInput(
    `Nothing was saved: ${changedBy} changed the policies while you edited them.`,
    'Review the current settings and change them again.',
  )
}

const policiesView = ({ policies, changedAt, changedBy }: KeptPolicies): PoliciesView => ({
  policies,
  defaults: DEFAULT_POLICIES,
  changedAt: changedAt === undefined ? null : isoOf(instant(changedAt)),
  changedBy: changedBy ?? null,
})

/** What a Septet knows of itself, handed to operations as a port. */
export type Installation = ThisServer & {
  readonly database: 'embedded' | 'external'
  /** Bytes of the data directory; undefined while they have not been counted. */
  dataDirBytes(): number | undefined
}

async function describeInstallation(
  installation: Installation,
  store: Pick<Store, 'describe'>,
  { kind }: Pick<Caller, 'kind'>,
): Promise<OutputOf<typeof aboutGet>> {
  if (kind === 'visitor') return { version: installation.version, ...NOT_FOR_VISITORS }
  const { version, bytes } = await store.describe()
  return {
    version: installation.version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    startedAt: isoOf(instant(installation.startedAt)),
    database: { kind: installation.database, version: version ?? null, bytes: bytes ?? null },
    dataDirBytes: installation.dataDirBytes() ?? null,
    memoryBytes: process.memoryUsage.rss(),
  }
}

/** What a machine runs is not a business of whoever looks at the demo. */
const NOT_FOR_VISITORS = {
  node: null,
  platform: null,
  startedAt: null,
  database: null,
  dataDirBytes: null,
  memoryBytes: null,
} as const

type List = OutputOf<typeof demoFaultsList>

/** What can be made to go wrong in the demo cluster. */
export type DemoFaults = {
  list(): Promise<List>
  add(fault: InputOf<typeof demoFaultsAdd>): Promise<List>
  remove(id: string): Promise<List>
}

/** Without a demo cluster nothing can be made to go wrong. */
export const demoFaultAnswers = ({
  demoFaults,
}: {
  readonly demoFaults?: DemoFaults | undefined
}): AnswersOf<'demoFaults'> => ({
  demoFaultsList: async () => demoFaults?.list() ?? { active: [], kinds: [] },
  demoFaultsAdd: (fault) => needed(demoFaults).add(fault),
  demoFaultsRemove: ({ id }) => needed(demoFaults).remove(id),
})

function needed(faults: DemoFaults | undefined): DemoFaults {
  if (faults !== undefined) return faults
  throw notFound('No demo cluster runs here.', 'Start Septet with SEPTET_DEMO=on.')
}
