import { DOC_PAGES, type DocPage } from './doc-pages.ts'

export type ContentsEntry = { readonly href: string; readonly title: string; readonly summary: string }

export type ContentsGroup = {
  readonly id: string
  readonly title: string
  readonly entries: readonly ContentsEntry[]
}

type Written = { readonly file: string; readonly title: string; readonly summary: string }

const page = (file: string, title: string, summary: string): Written => ({ file, title, summary })

const WRITTEN = {
  start: [
    page('README.md', 'Septet in brief', 'What it does, two commands to run it, and what it may change in a cluster.'),
    page(
      'docs/tutorial.md',
      'Tutorial',
      'Your cluster in ten minutes: check it, read the first figures, ask, plan, and approve one change.',
    ),
    page(
      'docs/architecture.md',
      'How Septet works',
      'One diagram, then the code in reading order, and what happens when a part fails.',
    ),
  ],
  run: [
    page(
      'docs/installing.md',
      'Installing in a cluster',
      'The image, the Helm chart and its values, plain manifests, a database of your own, a closed network.',
    ),
    page('docs/upgrading.md', 'Upgrading', 'Backup, helm upgrade, what else to update, and the way back.'),
    page(
      'docs/configuration.md',
      'Configuration',
      'Every setting with its default, the rights Septet needs in a cluster, certificates.',
    ),
    page(
      'docs/connecting-a-cluster.md',
      'Connecting a cluster',
      'An account that only reads, where the metrics are, what the connection test looks at, where credentials are.',
    ),
    page(
      'docs/neighbors.md',
      'Neighbors',
      'What is read of Kueue, KAI, Volcano, HAMi, Karpenter, DRA, exporters of AMD and Intel, and inference engines, and what is not.',
    ),
    page(
      'docs/using-the-dashboard.md',
      'Using the dashboard',
      'What each screen answers, ranges and time zones, live updates, keys.',
    ),
    page(
      'docs/will-it-start.md',
      'Will it start?',
      'Ask about a job before you submit it: now, after which change, or when.',
    ),
    page(
      'docs/reports-and-alerts.md',
      'Reports and alerts',
      'PDF, CSV and FOCUS by hand, by mail or from a terminal; what fires when, webhooks and their signature.',
    ),
    page(
      'docs/command-line.md',
      'The command line',
      'Every operation as septet VERB NOUN, signing in from a terminal, tables, JSON and CSV, exit status.',
    ),
    page(
      'docs/prices-and-bills.md',
      'Prices and bills',
      'Which price applies, what is shipped, machines of your own, a cloud’s bill in FOCUS beside your cluster.',
    ),
    page(
      'docs/acting.md',
      'Acting on a cluster',
      'What Septet may change and how it is allowed, what it never does, the stop switch, and a proof on a real node.',
    ),
    page(
      'docs/admission.md',
      'New pods',
      'How a pod that asks for a whole GPU is told of a MIG instance that would do, or given it, before it starts.',
    ),
    page(
      'docs/agents.md',
      'Agents and MCP',
      'Connect a coding agent or a chat client, what it can ask, and how a person confirms what it changes.',
    ),
    page(
      'docs/signing-in.md',
      'Signing in',
      'Who may come in, the first start, a public address, roles, tokens, the audit log, mail.',
    ),
  ],
  plan: [
    page(
      'docs/planning-from-the-command-line.md',
      'Plans from the command line',
      'Goals, the bound, the directory that a pull request shows, and what a plan does not know.',
    ),
  ],
  figures: [
    page('docs/figures.md', 'Figures', 'Speed, size, and quality beside their aims, and which aims are not reached.'),
  ],
  glossary: [page('docs/glossary.md', 'Glossary', 'One meaning per word, in the code and on the screen.')],
  part: [page('CONTRIBUTING.md', 'Contributing', 'Setup, the commands, and what a reviewer looks for.')],
} as const

const written = Object.values(WRITTEN).flat()
const isDecision = ({ file }: DocPage): boolean => file.startsWith('docs/decisions/')

/** The documentation in the order of a reader: begin, run, plan, look up. Pages that nobody has placed come last. */
export const CONTENTS: readonly ContentsGroup[] = [
  { id: 'start', title: 'Start here', entries: WRITTEN.start.map(entryOf) },
  { id: 'run', title: 'Run', entries: WRITTEN.run.map(entryOf) },
  { id: 'plan', title: 'Plan', entries: WRITTEN.plan.map(entryOf) },
  {
    id: 'look-up',
    title: 'Look up',
    entries: [
      ...WRITTEN.glossary.map(entryOf),
      ...WRITTEN.figures.map(entryOf),
      { href: '/receipts', title: 'Receipts', summary: 'What is claimed, what was measured, and how to run it again.' },
      {
        href: '/api',
        title: 'API',
        summary: 'Every operation with its role, its effect and an example that can be pasted.',
      },
    ],
  },
  {
    id: 'decisions',
    title: 'Decisions',
    entries: DOC_PAGES.filter(isDecision).map(({ href, title }) => ({ href, title, summary: '' })),
  },
  { id: 'take-part', title: 'Take part', entries: WRITTEN.part.map(entryOf) },
  {
    id: 'more',
    title: 'More',
    entries: DOC_PAGES.filter((doc) => !isDecision(doc) && written.every(({ file }) => file !== doc.file)).map(
      ({ href, title }) => ({ href, title, summary: '' }),
    ),
  },
].filter(({ entries }) => entries.length > 0)

/** All entries, in their order: a page's neighbors are the next reading. */
export const READING_ORDER: readonly ContentsEntry[] = CONTENTS.flatMap(({ entries }) => entries)

/** What the side list and the head of a page call it. */
export const titleOf = (doc: DocPage): string => READING_ORDER.find(({ href }) => href === doc.href)?.title ?? doc.title

function entryOf({ file, title, summary }: Written): ContentsEntry {
  const doc = DOC_PAGES.find((each) => each.file === file)
  if (doc === undefined) throw new Error(`the documentation has no ${file}`)
  return { href: doc.href, title, summary }
}
