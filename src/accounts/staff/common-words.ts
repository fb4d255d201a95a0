/**
 * First guesses at passwords of Chinese sites: greetings and sayings in pinyin, numbers that sound
 * like words, common family names, words of a plant.
 */
export const commonWords: readonly string[] = `
woaini woaini1314 woaini520 woaini521 5201314 1314520 520520 521521 7758521 7758258 147258 147258369 159357 123321 112233 woaiwojia wodemima
mima mima123 nihao nihao123 nimabi aini aini1314 iloveyou zhongguo china beijing shanghai guangzhou shenzhen hangzhou suzhou chengdu tianjin wuhan nanjing
xiexie zaijian xihuan pengyou laopo laogong baobao baobei mama baba gege jiejie meimei didi wangzhe tianxia qianjin fafafa gongxi facai
wang li zhang liu chen yang huang zhao zhou wu xu sun zhu ma hu guo lin he gao liang zheng luo song xie tang han cao deng xiao feng zeng cheng cai peng pan yuan dong
zhangwei wangwei wangfang liwei lina zhangmin lijing wangjing liuwei wangxiuying zhangli lixiuying wangli zhangjing lixiuzhen
guanliyuan guanli yonghu denglu ceshi gongsi gongchang chejian menjin kaoqin mensuo wangguan shebei xitong zongjingli laoban yuangong
admin administrator gatehouse gateway terminal attendance access factory plant office guard staff viewer welcome huanying
`
  .trim()
  .split(/\s+/);
