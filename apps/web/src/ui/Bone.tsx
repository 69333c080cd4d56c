/** Where something will be. */
export const Bone = ({ className }: { readonly className: string }) => (
  <div aria-hidden className={`waits rounded-[4px] bg-sunken ${className}`} />
)
