import { area } from '../../words/index.ts';

/** The words of ids that nobody has. */
export const said = area(
  {
    title: 'Ids that nobody has',
    lead: (checkins: string, one: boolean) =>
      `${one ? 'One check-in names' : `${checkins} check-ins name`} nobody who is listed here. Say who it is: earlier and later check-ins become that person’s. Or add the person, with the same id.`,
    id: 'Id or number',
    none: 'none',
    ambiguous: 'several people have this number',
    checkins: 'Check-ins',
    last: 'Last one',
    person: 'Person',
    by: 'Joined by',
    thisIs: (name: string) => `This is ${name}`,
    whoIs: (id: string) => `Who is ${id}?`,
    somebodyElse: 'Somebody else …',
    choose: 'Who is it? …',
    search: 'Name or number',
    isNow: (id: string, name: string, checkins: number) =>
      `${id} is ${name} from now on: ${checkins === 1 ? 'one check-in was' : `${checkins} check-ins were`} assigned.`,
    undo: 'Undo',
    undoOf: (id: string) => `Undo for ${id}`,
    joined: (many: number) => (many === 1 ? 'One id was joined to a person' : `${many} ids were joined to a person`),
    joinedTitle: 'Joined ids',
  },
  {
    title: '无人对应的编号',
    lead: checkins =>
      `有 ${checkins} 条打卡不属于名单中的任何人。请指定是谁：此前和今后的打卡都会归到此人名下；也可以用相同编号添加人员。`,
    id: '编号或工号',
    none: '无',
    ambiguous: '有多人使用此工号',
    checkins: '打卡',
    last: '最近一次',
    person: '人员',
    by: '操作人',
    thisIs: name => `是 ${name}`,
    whoIs: id => `${id} 是谁？`,
    somebodyElse: '是其他人…',
    choose: '指定人员…',
    search: '姓名或工号',
    isNow: (id, name, checkins) => `${id} 已归属 ${name}，共归入 ${checkins} 条打卡。`,
    undo: '撤销',
    undoOf: id => `撤销 ${id} 的归属`,
    joined: many => `已归属 ${many} 个编号`,
    joinedTitle: '已归属的编号',
  },
);
