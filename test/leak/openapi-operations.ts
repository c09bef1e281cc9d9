import type { Operation } from './requests.ts';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The parts of an OpenAPI document that are read here. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Every operation of the document: a route that is added is attacked without a change here. */
export function operationsOf({ paths, components }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]): Operation => {
      const [contentType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      const name = body?.schema.$ref?.split('/').at(-1);
      const schema = name === undefined ? body?.schema : components.schemas[name];
      return {
        method: method.toUpperCase(),
        path,
        parameters: parameters.flatMap(({ name, in: place }) =>
          name === undefined || place === undefined ? [] : [{ name, in: place }],
        ),
        contentType,
        members: Object.keys(schema?.properties ?? {}),
      };
    }),
  );
}
