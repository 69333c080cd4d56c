import type { SourceKey } from './comparison-sources.ts'
import { amount, receiptFigure } from './receipt-figures.ts'

export const PRODUCTS = ['Septet', 'GPU Operator', 'HAMi', 'Run:ai + KAI', 'OpenCost, Kubecost'] as const

/** `unread`: nothing on it stood in the documents that were read, which is not the same as a no. */
export type Verdict = 'yes' | 'partly' | 'no' | 'outside' | 'unread'

export type Cell = {
  readonly verdict: Verdict
  readonly text: string
  readonly sources: readonly SourceKey[]
  /** For our own cells: the receipt or page that shows it. */
  readonly href?: string
}

export type CompareRow = {
  readonly capability: string
  /** Who is ahead, when it is not us. */
  readonly ahead?: string
  /** In the order of PRODUCTS. */
  readonly cells: readonly [Cell, Cell, Cell, Cell, Cell]
}

const fact =
  (verdict: Verdict) =>
  (text: string, ...sources: readonly SourceKey[]): Cell => ({ verdict, text, sources })
const yes = fact('yes')
const partly = fact('partly')
const no = fact('no')
const ours = (verdict: Verdict, text: string, href: string): Cell => ({ verdict, text, sources: [], href })

/** What the product is not made for. */
const OUTSIDE: Cell = { verdict: 'outside', text: '', sources: [] }
const UNREAD: Cell = { verdict: 'unread', text: '', sources: [] }

const PLANNING = '/docs/planning-from-the-command-line'
const CONFIGURATION = '/docs/configuration'
const REPORTS = '/docs/reports-and-alerts'
const ACTING = '/docs/acting'
const ARCHITECTURE = '/docs/architecture'

export const ROWS: readonly CompareRow[] = [
  {
    capability: 'Works out a MIG layout from demand',
    cells: [
      ours('yes', 'For every GPU, with a bound on how good any other layout could be', PLANNING),
      no('An admin names the layout in a node label', 'operatorMig'),
      partly('v2.9.0: from lists of whole geometries; placement-aware version merged after it', 'hamiMig'),
      no('Dynamic MIG deprecated from 2.19, no longer supported', 'runaiMig'),
      OUTSIDE,
    ],
  },
  {
    capability: 'Applies a layout to the cluster',
    ahead: 'GPU Operator, HAMi',
    cells: [
      ours(
        'yes',
        'Carries out an approved plan through MIG Manager: evicts within disruption budgets, verifies, returns by itself',
        ACTING,
      ),
      yes('MIG Manager applies the label and ends the node’s GPU pods first', 'operatorMig'),
      yes('Placement-aware version needs a node drained to migrate', 'hamiMig'),
      partly('A change of profile takes an admin', 'runaiMig'),
      no('Read-only by design', 'opencostChart'),
    ],
  },
  {
    capability: 'Says beforehand who is displaced, and the way back',
    cells: [
      ours(
        'yes',
        'Both are part of every plan, tried out on a copy first',
        '/docs/decisions/0008-plans-are-tried-out-first',
      ),
      no('No user workload may run on GPUs being configured; the node may need a reboot', 'operatorMig'),
      UNREAD,
      UNREAD,
      OUTSIDE,
    ],
  },
  {
    capability: 'Cuts one instance anew beside running ones',
    cells: [
      ours(
        'partly',
        'Plans for it where a DRA driver does it, and counts what that saves',
        '/receipts#job-completion-dra',
      ),
      partly(
        'The hardware can; the DRA driver v0.4.0 has its GPU side not officially supported and DynamicMIG as alpha, off',
        'devicePlugin992Answer',
        'draDriver',
      ),
      partly('Fragmentation can still block it', 'hamiMig'),
      no('Dynamic MIG no longer supported', 'runaiMig'),
      OUTSIDE,
    ],
  },
  {
    capability: 'Shares GPUs that cannot do MIG',
    ahead: 'GPU Operator, HAMi, Run:ai + KAI',
    cells: [
      ours('no', 'Counts time-slicing where it finds it; sets up none', ARCHITECTURE),
      yes('Time-slicing, without figures per container', 'operatorSlicing'),
      yes('Limits by an interception library in the container', 'hamiCore'),
      partly('Off by default in KAI v0.17.0; its memory limit needs HAMi-core or MPS', 'kaiSharing'),
      OUTSIDE,
    ],
  },
  {
    capability: 'Accelerators of several vendors',
    ahead: 'HAMi',
    cells: [
      ours('no', 'Reads NVIDIA’s DCGM metrics only', CONFIGURATION),
      no('For NVIDIA GPUs', 'operatorSupport'),
      yes('Scope over several vendors, checked for its incubation', 'hamiDiligence'),
      UNREAD,
      UNREAD,
    ],
  },
  {
    capability: 'Binds pods: quotas, fair share, gangs',
    ahead: 'Run:ai + KAI',
    cells: [
      ours('no', 'Reads Kueue’s queues and quotas; leaves binding to your scheduler', CONFIGURATION),
      OUTSIDE,
      partly('Binpack and spread policies; no quotas found in what was read', 'hamiDocs'),
      yes('Quotas, fairness and groups that start together or not at all', 'runaiScheduler', 'kaiReadme'),
      OUTSIDE,
    ],
  },
  {
    capability: 'Tells MIG devices apart in its figures',
    cells: [
      ours('yes', 'Each instance at its placement, busy or idle', '/docs/glossary'),
      OUTSIDE,
      UNREAD,
      no(
        'MIG devices of the mixed strategy not in its screens or API; under the single strategy one counts as a GPU',
        'runaiMig',
      ),
      no('Kubecost 2.x: MIG sharing unsupported', 'kubecost'),
    ],
  },
  {
    capability: 'Prices a part of a GPU',
    cells: [
      ours(
        'yes',
        'By compute slices; the parts of a GPU add up to its price',
        '/docs/decisions/0001-share-by-compute-slices',
      ),
      OUTSIDE,
      no('OpenCost bills its fractions as whole GPUs', 'opencost3828'),
      UNREAD,
      partly(
        'OpenCost: the larger of request and use. Kubecost 2.x: shared GPUs at no cost',
        'opencostSpec',
        'kubecost',
      ),
    ],
  },
  {
    capability: 'Prices CPU, memory, storage and cloud bills',
    ahead: 'OpenCost, Kubecost',
    cells: [
      ours('no', 'GPU machines only; a bill in FOCUS is added up whole', '/docs/prices-and-bills'),
      OUTSIDE,
      OUTSIDE,
      UNREAD,
      yes('Allocation for in-cluster resources, cloud costs of three large clouds', 'opencostReadme'),
    ],
  },
  {
    capability: 'Runs with read-only rights',
    cells: [
      ours('yes', 'get, list and watch; no Secrets, nothing through nodes', CONFIGURATION),
      no('It configures nodes', 'operatorMig'),
      no('It loads a library into containers to hold their limits', 'hamiCore'),
      no('It schedules', 'runaiScheduler'),
      yes('Read-only cluster role', 'opencostChart'),
    ],
  },
  {
    capability: 'Reports that leave the product',
    cells: [
      ours('yes', 'PDF, CSV and FOCUS, on a schedule by mail or by hand; API, command line and plan files', REPORTS),
      OUTSIDE,
      UNREAD,
      partly('CSV; self-hosted it needs S3 storage', 'runaiReports'),
      yes('Metrics endpoint for Prometheus, APIs, command line', 'opencostReadme'),
    ],
  },
  {
    capability: 'Measured at fleet size, with the command to rerun',
    cells: [
      ours(
        'yes',
        `10,000 simulated GPUs: initial sync ${amount(receiptFigure('large-fleet', 'start to initial sync (/readyz answers 200)'), 1)} s. No real fleet of that size was tried`,
        '/receipts#large-fleet',
      ),
      UNREAD,
      UNREAD,
      UNREAD,
      UNREAD,
    ],
  },
  {
    capability: 'Track record',
    ahead: 'all four',
    cells: [
      ours('no', 'Version 0.1. No installation to name', '/about'),
      yes('The vendor’s own operator, with a life cycle policy', 'operatorSupport'),
      yes('CNCF incubating', 'hamiIncubating'),
      yes('A vendor’s product; the scheduler is open source', 'kaiReadme'),
      yes('Its specification is the open standard for Kubernetes cost', 'opencostSpec'),
    ],
  },
]

export const VERDICT_WORDS = {
  yes: 'Yes',
  partly: 'Partly',
  no: 'No',
  outside: 'Not its purpose',
  unread: 'Not found',
} satisfies Record<Verdict, string>

export const COMPARE_PAGE = {
  title: 'Septet beside four alternatives',
  lead: 'By published documents, not by a test side by side. Each cell about another product names the copy that was read and its day; products change, so check the page itself before you decide.',
  scrollHint: 'The table scrolls sideways.',
  correctionTitle: 'Wrong or out of date?',
  correction:
    'Say which cell, and where the correct fact can be read. A correction with a source replaces the cell, also when it makes Septet look worse.',
  basisTitle: 'Basis of the comparison',
  basis:
    'Documents, issues and package code were read up to 2026-11-21. “Not found” means that nothing on it stood in what was read; it is not a no. Not checked: Run:ai v3.0’s MIG page in full, HAMi 2.10, Kubecost 3.',
}
