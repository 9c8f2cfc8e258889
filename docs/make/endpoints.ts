import { type Route, refusalsOf } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';

export type Endpoint = { name: string; route: Route };

export const endpoints: Endpoint[] = Object.entries<Route>(routes).map(([name, route]) => ({ name, route }));

/** The tags of all endpoints, in the order of the route table. */
export const tags = [...new Set(endpoints.map(({ route }) => route.tag))];

export const endpointsOf = (tag: string): Endpoint[] => endpoints.filter(({ route }) => route.tag === tag);

export const endpointsThatAnswer = (code: string): Endpoint[] =>
  endpoints.filter(({ route }) => (refusalsOf(route) as string[]).includes(code));

export const pageOf = (tag: string): string => `/reference/${tag.toLowerCase()}`;

/** A link to the description of an endpoint; the anchor is the name of the route. */
export function linkTo({ name, route }: Endpoint): string {
  return `[\`${route.method} ${route.path}\`](${pageOf(route.tag)}#${name.toLowerCase()})`;
}
