import type { GpuView } from '@septet/contract'
import { Link } from 'react-router'

import { Logo } from '../ui/Logo.tsx'
import { SliceBar } from '../ui/SliceBar.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'

/** The door: who we are, and the two places to go. */
export function Landing() {
  usePageTitle('Septet')
  return (
    <main className="mx-auto flex min-h-dvh max-w-3xl flex-col justify-center gap-8 px-6 py-16">
      <div className="flex items-center gap-3 text-20 font-semibold tracking-tight">
        <Logo size={32} />
        septet
      </div>
      <h1 className="text-40 font-semibold tracking-[-0.03em] sm:text-64">
        Seven slices. <br className="sm:hidden" />
        One GPU. <br />
        <span className="text-ink-quiet">Nothing idle.</span>
      </h1>
      <div aria-hidden className="max-w-xl">
        <SliceBar gpu={SEVEN} height={28} />
      </div>
      <p className="max-w-xl text-16 text-ink-soft">
        Septet finds the GPU time that your Kubernetes clusters pay for and do not use, and says where it goes.
      </p>
      <nav aria-label="Septet" className="flex flex-wrap gap-3">
        <Link
          to="/dashboard"
          className="rounded-control border border-ink bg-ink px-4 py-2.5 font-medium text-paper transition-opacity hover:opacity-85"
        >
          Open the dashboard
        </Link>
        <a
          href="/api"
          className="rounded-control border border-line-strong px-4 py-2.5 font-medium transition-opacity hover:opacity-75"
        >
          Read the API
        </a>
      </nav>
    </main>
  )
}

/** The logo lying down: one GPU cut four, two and one, and all of it at work. A drawing, not a measurement. */
const SEVEN: GpuView = {
  id: 'drawing',
  index: 0,
  model: '',
  mode: 'mig',
  slots: 7,
  fault: null,
  blocks: [
    { start: 0, size: 4, busy: 0.92 },
    { start: 4, size: 2, busy: 0.78 },
    { start: 6, size: 1, busy: 0.86 },
  ].map((block) => ({ ...block, kind: 'busy', profile: null, placement: 'reported', holder: null, because: null })),
}
