import { type TSchema, Type } from 'typebox';

/** A part of a request that takes texts, or numbers written as texts. */
export interface TextMember {
  /** The way to it. */
  readonly name: string;
  readonly schema: TSchema;
  readonly rules: Rules;
}

/** What a schema says; each member is there or not. */
interface Rules {
  readonly type?: string | readonly string[];
  readonly idLike?: string;
  readonly scalar?: number;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly unscanned?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: TSchema | boolean;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** Every text of a schema, at every depth, and the names of members that a caller may choose. */
export function textsOf(schema: TSchema, name: string): TextMember[] {
  const rules = schema as Rules;
  const { type, idLike, scalar, properties = {}, patternProperties = {}, additionalProperties, items } = rules;
  const isText = [type].flat().includes('string') || idLike !== undefined || scalar !== undefined;
  return [
    ...(isText ? [{ name, schema, rules }] : []),
    ...Object.entries(properties).flatMap(([member, part]) => textsOf(part, `${name}.${member}`)),
    ...Object.entries(patternProperties).flatMap(([pattern, part]) => [
      ...textsOf(Type.String({ pattern }), `the names of ${name}`),
      ...textsOf(part, `${name}.*`),
    ]),
    ...(typeof additionalProperties === 'object' ? textsOf(additionalProperties, `${name}.*`) : []),
    ...(items === undefined ? [] : textsOf(items, `${name}[]`)),
    ...(rules.anyOf ?? []).flatMap((part) => textsOf(part, name)),
  ];
}

/** Every text of the requests to these routes, by the way to it. */
export function textsOfRoutes(routes: readonly Asked[]): TextMember[] {
  return routes.flatMap(({ operationId, shape }) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = shape[part];
      return schema === undefined ? [] : textsOf(schema, `${operationId}.${part}`);
    }),
  );
}

interface Asked {
  readonly operationId: string;
  readonly shape: { readonly params: TSchema; readonly query: TSchema; readonly body?: TSchema | undefined };
}
