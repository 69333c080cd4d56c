import type { ButtonHTMLAttributes } from 'react'

/** A way on that looks like a link and stays on the page. */
export const TextButton = ({ className = '', ...rest }: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'>) => (
  <button
    type="button"
    {...rest}
    className={`min-h-6 rounded-control text-13 text-accent-ink underline-offset-4 hover:underline ${className}`}
  />
)
