import { Link, useLocation } from 'react-router'

type Props = { readonly to: string; readonly children: string }

/** Leads from the head of the screen to another one, for the same cluster. */
export function KeptLink({ to, children }: Props) {
  const { search } = useLocation()
  const cluster = new URLSearchParams(search).get('cluster')
  return (
    <Link
      to={cluster === null ? to : `${to}?cluster=${encodeURIComponent(cluster)}`}
      className="inline-flex min-h-8 items-center rounded-control border border-line bg-surface px-3 text-13 hover:border-line-strong"
    >
      {children}
    </Link>
  )
}
