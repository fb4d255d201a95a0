import type { Node, Source } from './source.ts';
import type { Sources } from './sources.ts';

type Variant = string | boolean | { readonly [field: string]: string | boolean };

/** All values of a type of texts, booleans, and objects of them. */
export function variantsOf(sources: Sources, source: Source, type: Node): readonly Variant[] {
  const of = (one: Node, of = source) => variantsOf(sources, of, one);
  switch (type.type) {
    case 'TSBooleanKeyword':
      return [true, false];
    case 'TSLiteralType':
      return [(type.literal as Node).value as Variant];
    case 'TSUnionType':
      return (type.types as Node[]).flatMap(one => of(one));
    case 'TSIntersectionType':
      return (type.types as Node[]).map(one => of(one)).reduce(joined);
    case 'TSTypeLiteral':
    case 'TSInterfaceBody':
      return ((type.members ?? type.body) as Node[])
        .map(member =>
          of((member.typeAnnotation as Node).typeAnnotation as Node).map(value => ({
            [(member.key as Node).name as string]: value as string | boolean,
          })),
        )
        .reduce(joined, [{}]);
    case 'TSTypeReference': {
      const found = sources.alias(source, type);
      if (found) return of(found.type, found.source);
      break;
    }
    case 'TSIndexedAccessType': {
      const found = sources.alias(source, type.objectType as Node);
      const field = ((type.indexType as Node).literal as Node).value;
      const members = ((found?.type.members ?? found?.type.body) as Node[] | undefined) ?? [];
      const member = members.find(({ key }) => (key as Node).name === field);
      if (found && member) return of((member.typeAnnotation as Node).typeAnnotation as Node, found.source);
      break;
    }
  }
  throw new Error(`${source.path}:${source.lineOf(type)}: which values has ${source.textOf(type)}?`);
}

const joined = (some: readonly Variant[], others: readonly Variant[]): readonly Variant[] =>
  some.flatMap(one => others.map(other => ({ ...(one as object), ...(other as object) })));
