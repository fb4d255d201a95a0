import type { Given, Report } from '../../src/admin/operation.ts';
import type { PageOperation } from '../../src/admin/ui/index-routes.ts';

/**
 * What a page may ask of the admin API and what it gets, by method and path: both come from the
 * schemas of the operation, so a page that asks for or reads what is not there does not compile.
 */
type Json = Extract<PageOperation, { readonly answer: unknown }>;
type Method = Json['method'];
type At<M extends Method, Path> = Extract<Json, { readonly method: M; readonly path: Path }>;

/** Such as `/people/{ext_id}`. */
export type PathOf<M extends Method> = Extract<Json, { readonly method: M }>['path'];
export type AskedOf<M extends Method, Path> = Given<At<M, Path>>;
export type AnswerOf<M extends Method, Path> = Report<At<M, Path>['answer']>;

/** The remaining arguments of a call: `asked` may be left out where no field of it is required. */
export type Rest<M extends Method, Path, More extends readonly unknown[] = []> =
  object extends AskedOf<M, Path>
    ? [asked?: AskedOf<M, Path>, ...more: More]
    : [asked: AskedOf<M, Path>, ...more: More];
