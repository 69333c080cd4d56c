const BARS = [
  { x: 3, top: 3 },
  { x: 6, top: 3 },
  { x: 9, top: 3 },
  { x: 12, top: 3 },
  { x: 17, top: 5.5 },
  { x: 20, top: 5.5 },
  { x: 24, top: 12 },
]

/** Seven bars, grouped four, two and one: the slice bar standing up. */
export function Logo({ size = 22 }: { readonly size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 27 27" stroke="currentColor" strokeWidth="1.9">
      {BARS.map(({ x, top }) => (
        <line key={x} x1={x} x2={x} y1={top} y2={24} />
      ))}
    </svg>
  )
}

type LinkProps = { readonly href: string; readonly className: string }

/** The mark with the name, which leads home. */
export const LogoLink = ({ href, className }: LinkProps) => (
  <a href={href} className={`items-center rounded-control text-16 font-semibold tracking-tight ${className}`}>
    <Logo />
    septet
  </a>
)
