import { sentences } from '../sentences.ts';

/** Log lines of certificates, drills, history and watchdog. */
export const operationsLog = sentences({
  certificate_authority_made: {
    en: 'made the certificate authority of this box; devices trust it after `gatehouse trust export`',
    zh: '已生成本网关的根证书；用 `gatehouse trust export` 导出后供设备信任',
  },
  certificate_issued: { en: 'issued the certificate of this box', zh: '已签发本网关的证书' },
  ticket_key_not_stored: {
    en: 'the key of TLS tickets cannot be kept: after a restart no session resumes',
    zh: 'TLS 会话票据的密钥无法保存：重新启动后会话不能恢复',
  },
  store_silent_watchdog_not_fed: {
    en: 'the store does not answer: the watchdog is not fed, and systemd will restart the box',
    zh: '数据库没有响应，systemd 将重新启动网关',
  },
  history_not_stored: { en: 'a minute of the history could not be kept', zh: '一分钟的运行历史未能保存' },
  led_not_usable: {
    en: ({ folder, why }: { folder: string; why: string }) =>
      `box.led ${folder}: ${why}: name an LED of /sys/class/leds`,
    zh: ({ folder, why }) => `box.led ${folder}：${why}；请填写 /sys/class/leds 中的指示灯`,
  },
  card_drill_failed: { en: 'the drill of the card could not go on', zh: '存储卡测试未能继续' },
  disk_failed_in_drill: { en: 'the disk failed during the drill of the card', zh: '存储卡测试时磁盘出错' },
  uplink_drill_failed: { en: 'the drill of the line could not be finished', zh: '断网测试未能完成' },
  terminal_drill_failed: { en: 'the drill of the terminals could not be finished', zh: '终端测试未能完成' },
  drill_results_not_sent: { en: 'results of drills could not be sent up', zh: '测试结果未能上传' },
  drill_result_refused: { en: 'the result of a drill was refused above', zh: '测试结果被上级拒收' },
});
