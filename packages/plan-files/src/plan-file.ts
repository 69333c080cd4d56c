/** A file of an exported plan; the path is relative, with `/`, and made of names that Kubernetes allows. */
export type PlanFile = { readonly path: string; readonly text: string }
