import { Link } from 'react-router'

import { Logo } from '../ui/Logo.tsx'

/** The door: who we are, and the two places to go. */
export function Landing() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-3xl flex-col justify-center gap-8 px-6 py-16">
      <title>Septet</title>
      <div className="flex items-center gap-3 text-20 font-semibold tracking-tight">
        <Logo size={32} />
        septet
      </div>
      <h1 className="text-40 font-semibold tracking-[-0.03em] sm:text-64">
        Seven slices. <br className="sm:hidden" />
        One GPU. <br />
        <span className="text-ink-quiet">Nothing idle.</span>
      </h1>
      <p className="max-w-xl text-16 text-ink-soft">
        Septet finds the GPU time that your Kubernetes clusters pay for and do not use, and says where it goes.
      </p>
      <nav aria-label="Septet" className="flex flex-wrap gap-3">
        <Link
          to="/dashboard"
          className="rounded-control bg-ink px-4 py-2.5 font-medium text-paper transition-opacity hover:opacity-85"
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
