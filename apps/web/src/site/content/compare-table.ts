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

export const ROWS: readonly CompareRow[] = [
  {
    capability: 'Plans MIG layouts from demand',
    cells: [
      ours('yes', 'For every GPU, with a bound that no layout can beat', PLANNING),
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
        'Applies an approved plan through MIG Manager: evicts within disruption budgets, verifies, and rolls back',
        ACTING,
      ),
      yes('MIG Manager applies the label and ends the node’s GPU pods first', 'operatorMig'),
      yes('Placement-aware version needs a node drained to migrate', 'hamiMig'),
      partly('A change of profile takes an admin', 'runaiMig'),
      no('Read-only by design', 'opencostChart'),
    ],
  },
  {
    capability: 'Previews evictions, with a rollback plan',
    cells: [
      ours(
        'yes',
        'Both are in every plan, which is rehearsed on a copy first',
        '/docs/decisions/0008-plans-are-tried-out-first',
      ),
      no('No user workload may run on GPUs being configured; the node may need a reboot', 'operatorMig'),
      UNREAD,
      UNREAD,
      OUTSIDE,
    ],
  },
  {
    capability: 'Recreates one MIG instance while others run',
    cells: [
      ours(
        'partly',
        'Plans for it where a DRA driver supports it, and estimates the savings',
        '/receipts#job-completion-dra',
      ),
      partly(
        'The hardware can. In DRA driver v0.4.0, GPU allocation isn’t officially supported and DynamicMIG is alpha, off by default',
        'devicePlugin992Answer',
        'draDriver',
      ),
      partly('Fragmentation can still block it', 'hamiMig'),
      no('Dynamic MIG no longer supported', 'runaiMig'),
      OUTSIDE,
    ],
  },
  {
    capability: 'Shares GPUs without MIG',
    ahead: 'GPU Operator, HAMi, Run:ai + KAI',
    cells: [
      ours('partly', 'Sets up time-slicing or MPS on a node that one namespace has to itself', ACTING),
      yes('Time-slicing, without figures per container', 'operatorSlicing'),
      yes('Limits by an interception library in the container', 'hamiCore'),
      partly('Off by default in KAI v0.17.0; its memory limit needs HAMi-core or MPS', 'kaiSharing'),
      OUTSIDE,
    ],
  },
  {
    capability: 'Multi-vendor accelerators',
    ahead: 'HAMi',
    cells: [
      ours('partly', 'Reads AMD and Intel metrics; plans only for NVIDIA', '/docs/neighbors'),
      no('For NVIDIA GPUs', 'operatorSupport'),
      yes('Scope over several vendors, checked for its incubation', 'hamiDiligence'),
      UNREAD,
      UNREAD,
    ],
  },
  {
    capability: 'Schedules pods: quotas, fair share, gangs',
    ahead: 'Run:ai + KAI',
    cells: [
      ours('no', 'Reads Kueue queues and quotas; your scheduler binds pods', CONFIGURATION),
      OUTSIDE,
      partly('Binpack and spread policies; no quotas found in what was read', 'hamiDocs'),
      yes('Quotas, fairness and groups that start together or not at all', 'runaiScheduler', 'kaiReadme'),
      OUTSIDE,
    ],
  },
  {
    capability: 'Metrics per MIG device',
    cells: [
      ours('yes', 'Utilization of each instance at its placement', '/docs/glossary'),
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
    capability: 'Prices fractions of a GPU',
    cells: [
      ours(
        'yes',
        'By compute slice; the slices add up to the GPU’s price',
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
    capability: 'Prices CPU, memory, storage, and cloud bills',
    ahead: 'OpenCost, Kubecost',
    cells: [
      ours('no', 'GPU nodes only; imports FOCUS bills as totals', '/docs/prices-and-bills'),
      OUTSIDE,
      OUTSIDE,
      UNREAD,
      yes('Allocation for in-cluster resources, cloud costs of three large clouds', 'opencostReadme'),
    ],
  },
  {
    capability: 'Works read-only',
    cells: [
      ours('yes', 'get, list, and watch; no Secrets, no node proxy', CONFIGURATION),
      no('It configures nodes', 'operatorMig'),
      no('It loads a library into containers to hold their limits', 'hamiCore'),
      no('It schedules', 'runaiScheduler'),
      yes('Read-only cluster role', 'opencostChart'),
    ],
  },
  {
    capability: 'Exports and scheduled reports',
    cells: [
      ours('yes', 'PDF, CSV, and FOCUS, scheduled by email or on demand; API, CLI, and plan files', REPORTS),
      OUTSIDE,
      UNREAD,
      partly('CSV; self-hosted it needs S3 storage', 'runaiReports'),
      yes('Metrics endpoint for Prometheus, APIs, command line', 'opencostReadme'),
    ],
  },
  {
    capability: 'Reproducible benchmarks at fleet scale',
    cells: [
      ours(
        'yes',
        `10,000 simulated GPUs: initial sync ${amount(receiptFigure('large-fleet', 'start to initial sync (/readyz answers 200)'), 1)} s. Not tried on a real fleet of that size`,
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
      ours('no', 'Version 0.1, no public installations', '/about'),
      yes('NVIDIA’s own operator, with a life cycle policy', 'operatorSupport'),
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
  outside: 'Out of scope',
  unread: 'Not found',
} satisfies Record<Verdict, string>

export const COMPARE_PAGE = {
  title: 'Compare features',
  lead: 'Based on published documentation, not on hands-on testing. Every claim about another product links to the version we read. Products change, so check the source before you decide.',
  correctionTitle: 'Something wrong or outdated?',
  correction: 'Tell us which cell, with a source. We’ll fix it, even if Septet ends up looking worse.',
  basisTitle: 'How we compared',
  basis:
    'We read documentation, issues, and package code through 2026-11-21. “Not found” means we found nothing about it, not that it’s missing. Not checked: the full MIG page of Run:ai v3.0, HAMi 2.10, Kubecost 3.',
}
