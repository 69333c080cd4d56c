import { Badge } from '../../ui/Badge.tsx'

/** Says that this is the demo, and where one's own dashboard begins. */
export const DemoBadge = () => (
  <span className="flex items-center gap-2.5 pl-1">
    <span className="max-sm:hidden">
      <Badge tone="secondary">
        Live demo<span className="max-[1400px]:hidden">, read only</span>
      </Badge>
    </span>
    <a
      href="/auth"
      className="rounded-control text-13 whitespace-nowrap text-accent-ink underline-offset-4 hover:underline"
    >
      Sign in
    </a>
  </span>
)
