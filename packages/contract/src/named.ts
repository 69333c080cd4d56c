import { z } from 'zod'

/** An object with a name of its own in OpenAPI, where it is written once and referred to. */
export const named = <Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) => z.object(shape).meta({ id })
