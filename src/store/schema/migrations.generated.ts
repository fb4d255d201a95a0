// Made by `npm run migrations` from src/store/migrations: do not edit.
export const migrations: readonly { name: string; statements: readonly string[] }[] = [
  {
    "name": "20261121021231_first",
    "statements": [
      "CREATE TABLE `access_record` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`seq` integer NOT NULL,\n\t`device_no` integer NOT NULL,\n\t`received_at` integer NOT NULL,\n\t`record_id` text NOT NULL,\n\t`door_id` text NOT NULL,\n\t`ext_id` text NOT NULL,\n\t`check_type` text NOT NULL,\n\t`check_time_seconds` integer NOT NULL,\n\t`check_data` text NOT NULL,\n\t`check_result` integer NOT NULL,\n\t`sealed_capture_img` blob\n);",
      "CREATE TABLE `app` (\n\t`app_id` text PRIMARY KEY,\n\t`sealed_key` blob NOT NULL,\n\t`name` text NOT NULL\n);",
      "CREATE TABLE `app_upgrade` (\n\t`app_code` text NOT NULL,\n\t`version` text NOT NULL,\n\t`record` text NOT NULL,\n\tCONSTRAINT `app_upgrade_pk` PRIMARY KEY(`app_code`, `version`)\n);",
      "CREATE TABLE `attendance_caller` (\n\t`app_key` text PRIMARY KEY,\n\t`sealed_secret` blob NOT NULL,\n\t`name` text NOT NULL\n);",
      "CREATE TABLE `batch_cursor` (\n\t`box_no` integer NOT NULL,\n\t`epoch` text NOT NULL,\n\t`seq` integer NOT NULL,\n\tCONSTRAINT `batch_cursor_pk` PRIMARY KEY(`box_no`, `epoch`)\n);",
      "CREATE TABLE `checkin` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`seq` integer NOT NULL,\n\t`device_no` integer NOT NULL,\n\t`received_at` integer NOT NULL,\n\t`record_id` text NOT NULL,\n\t`ext_id` text NOT NULL,\n\t`employee_num` text NOT NULL,\n\t`check_type` text NOT NULL,\n\t`check_time_seconds` integer NOT NULL,\n\t`check_data` text NOT NULL\n);",
      "CREATE TABLE `confirmation` (\n\t`device_no` integer NOT NULL,\n\t`up_to_seq` integer NOT NULL,\n\t`confirmed_at` integer NOT NULL,\n\t`via` text NOT NULL,\n\tCONSTRAINT `confirmation_pk` PRIMARY KEY(`device_no`, `up_to_seq`)\n);",
      "CREATE TABLE `department` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`ext_id` text NOT NULL UNIQUE,\n\t`name` text NOT NULL,\n\t`parent_ext_id` text NOT NULL\n);",
      "CREATE TABLE `device` (\n\t`device_no` integer PRIMARY KEY AUTOINCREMENT,\n\t`device_id` text NOT NULL UNIQUE,\n\t`product_id` text NOT NULL,\n\t`name` text NOT NULL,\n\t`listed` integer NOT NULL,\n\t`sealed_access_key` blob,\n\t`key_issued_at` integer,\n\t`key_confirmed_at` integer,\n\t`product_key_until` integer,\n\t`activation_mid` text,\n\t`sealed_presented_password` blob,\n\t`blocked` integer NOT NULL,\n\t`first_seen_at` integer NOT NULL,\n\t`forwarded_seq` integer NOT NULL\n);",
      "CREATE TABLE `device_log` (\n\t`seq` integer PRIMARY KEY,\n\t`device_no` integer NOT NULL,\n\t`received_at` integer NOT NULL,\n\t`path` text NOT NULL,\n\t`marks` integer NOT NULL,\n\t`text` text NOT NULL\n);",
      "CREATE TABLE `dropped` (\n\t`reason` text PRIMARY KEY,\n\t`count` integer NOT NULL\n);",
      "CREATE TABLE `employee` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`ext_id` text NOT NULL UNIQUE,\n\t`name` text NOT NULL,\n\t`mobile` text NOT NULL,\n\t`employee_num` text NOT NULL,\n\t`department_ext_id` text NOT NULL,\n\t`title` text NOT NULL\n);",
      "CREATE TABLE `event` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`at` integer NOT NULL,\n\t`device_no` integer NOT NULL,\n\t`kind` text NOT NULL,\n\t`detail` text NOT NULL\n);",
      "CREATE TABLE `feature` (\n\t`ext_id` text NOT NULL,\n\t`feature_type` text NOT NULL,\n\t`feature_alg` text NOT NULL,\n\t`sealed_values` blob NOT NULL,\n\t`is_abnormal` integer NOT NULL,\n\t`device_no` integer,\n\t`stored_at` integer NOT NULL,\n\tCONSTRAINT `feature_pk` PRIMARY KEY(`ext_id`, `feature_type`, `feature_alg`)\n);",
      "CREATE TABLE `inbox` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`device_no` integer NOT NULL,\n\t`put_at` integer NOT NULL,\n\t`sealed_message` blob NOT NULL\n);",
      "CREATE TABLE `last_seen` (\n\t`device_no` integer PRIMARY KEY,\n\t`received_at` integer NOT NULL\n);",
      "CREATE TABLE `local_user` (\n\t`name` text PRIMARY KEY,\n\t`password_hash` text,\n\t`role` text NOT NULL,\n\t`headimgurl` text NOT NULL\n);",
      "CREATE TABLE `log_day_count` (\n\t`day` text NOT NULL,\n\t`device_no` integer NOT NULL,\n\t`stored` integer NOT NULL,\n\tCONSTRAINT `log_day_count_pk` PRIMARY KEY(`day`, `device_no`)\n);",
      "CREATE TABLE `message_template` (\n\t`template` text PRIMARY KEY,\n\t`title` text NOT NULL,\n\t`body` text NOT NULL\n);",
      "CREATE TABLE `meta` (\n\t`key` text PRIMARY KEY,\n\t`value` text NOT NULL\n);",
      "CREATE TABLE `oauth_client` (\n\t`client_id` text PRIMARY KEY,\n\t`sealed_secret` blob NOT NULL,\n\t`name` text NOT NULL,\n\t`logo_url` text NOT NULL,\n\t`redirect_uris` text NOT NULL\n);",
      "CREATE TABLE `parked` (\n\t`seq` integer PRIMARY KEY,\n\t`device_no` integer NOT NULL,\n\t`parked_at` integer NOT NULL,\n\t`code` integer NOT NULL,\n\t`reason` text NOT NULL,\n\t`send_again` integer NOT NULL\n);",
      "CREATE TABLE `product` (\n\t`product_id` text PRIMARY KEY,\n\t`name` text NOT NULL,\n\t`icon` text NOT NULL,\n\t`introduction` text NOT NULL,\n\t`model` text NOT NULL,\n\t`access` text NOT NULL,\n\t`sealed_key` blob NOT NULL,\n\t`sealed_other_environment_key` blob\n);",
      "CREATE TABLE `projection_cursor` (\n\t`id` integer PRIMARY KEY,\n\t`seq` integer NOT NULL\n);",
      "CREATE TABLE `refusal` (\n\t`client_id` text NOT NULL,\n\t`code` text NOT NULL,\n\t`door` text NOT NULL,\n\t`address` text NOT NULL,\n\t`detail` text NOT NULL,\n\t`count` integer NOT NULL,\n\t`first_at` integer NOT NULL,\n\t`last_at` integer NOT NULL,\n\tCONSTRAINT `refusal_pk` PRIMARY KEY(`client_id`, `code`)\n);",
      "CREATE TABLE `report_seen` (\n\t`device_no` integer NOT NULL,\n\t`mid_hash` blob NOT NULL,\n\t`data_hash` blob NOT NULL,\n\t`seen_at` integer NOT NULL,\n\tCONSTRAINT `report_seen_pk` PRIMARY KEY(`device_no`, `mid_hash`, `data_hash`)\n);",
      "CREATE TABLE `segment` (\n\t`first_seq` integer PRIMARY KEY,\n\t`count` integer NOT NULL,\n\t`received_from` integer NOT NULL,\n\t`received_to` integer NOT NULL,\n\t`channels` integer NOT NULL,\n\t`devices` blob NOT NULL,\n\t`sealed_records` blob NOT NULL\n);",
      "CREATE INDEX `access_record_by_time` ON `access_record` (`check_time_seconds`);",
      "CREATE INDEX `checkin_by_time` ON `checkin` (`check_time_seconds`);",
      "CREATE INDEX `checkin_by_person` ON `checkin` (`ext_id`,`check_time_seconds`);",
      "CREATE INDEX `device_log_by_device` ON `device_log` (`device_no`,`seq`);",
      "CREATE INDEX `event_by_device` ON `event` (`device_no`,`id`);",
      "CREATE INDEX `inbox_by_device` ON `inbox` (`device_no`,`id`);",
      "CREATE INDEX `refusal_by_age` ON `refusal` (`last_at`);",
      "CREATE INDEX `report_seen_by_age` ON `report_seen` (`seen_at`);"
    ]
  },
  {
    "name": "20261121063915_attendance",
    "statements": [
      "CREATE TABLE `checkin_unresolved` (\n\t`id` integer PRIMARY KEY,\n\t`seq` integer NOT NULL,\n\t`device_no` integer NOT NULL,\n\t`received_at` integer NOT NULL,\n\t`record_id` text NOT NULL,\n\t`ext_id` text NOT NULL,\n\t`employee_num` text NOT NULL,\n\t`check_type` text NOT NULL,\n\t`check_time_seconds` integer NOT NULL,\n\t`check_data` text NOT NULL,\n\t`clock_skew_seconds` integer\n);",
      "CREATE TABLE `counter` (\n\t`name` text PRIMARY KEY,\n\t`value` integer NOT NULL\n);",
      "CREATE TABLE `feature_failure` (\n\t`ext_id` text NOT NULL,\n\t`feature_type` text NOT NULL,\n\t`device_no` integer NOT NULL,\n\t`at` integer NOT NULL,\n\tCONSTRAINT `feature_failure_pk` PRIMARY KEY(`ext_id`, `feature_type`, `device_no`)\n);",
      "CREATE TABLE `organization_conflict` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`at` integer NOT NULL,\n\t`subject` text NOT NULL,\n\t`cloud_side` text NOT NULL,\n\t`box_side` text NOT NULL\n);",
      "CREATE TABLE `organization_write` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`at` integer NOT NULL,\n\t`caller` text NOT NULL,\n\t`path` text NOT NULL,\n\t`command` text NOT NULL,\n\t`subject` text NOT NULL,\n\t`sealed_body` blob NOT NULL,\n\t`refused_at` integer,\n\t`code` integer,\n\t`reason` text\n);",
      "CREATE TABLE `person_change` (\n\t`change_no` integer PRIMARY KEY,\n\t`ext_id` text NOT NULL UNIQUE,\n\t`removed` integer NOT NULL\n);",
      "CREATE TABLE `person_sync` (\n\t`device_no` integer PRIMARY KEY,\n\t`change_no` integer NOT NULL,\n\t`last_from_no` integer NOT NULL,\n\t`last_to_no` integer NOT NULL,\n\t`sent_at` integer NOT NULL\n);",
      "INSERT INTO `checkin_unresolved` SELECT `id`, `seq`, `device_no`, `received_at`, `record_id`, `ext_id`, `employee_num`, `check_type`, `check_time_seconds`, `check_data`, NULL FROM `checkin`;",
      "INSERT INTO `counter` SELECT 'checkin', coalesce(max(`id`), 0) FROM `checkin`;",
      "INSERT INTO `counter` VALUES ('late', 0), ('person_change', 0), ('to_resolve', 1);",
      "DROP TABLE `checkin`;",
      "CREATE TABLE `checkin` (\n\t`id` integer PRIMARY KEY,\n\t`seq` integer NOT NULL,\n\t`device_no` integer NOT NULL,\n\t`received_at` integer NOT NULL,\n\t`record_id` text NOT NULL,\n\t`employee_id` integer NOT NULL,\n\t`terminal_id` text,\n\t`check_type` text NOT NULL,\n\t`check_time_seconds` integer NOT NULL,\n\t`check_data` text NOT NULL,\n\t`clock_skew_seconds` integer,\n\t`late_no` integer\n);",
      "CREATE TABLE `__new_access_record` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`seq` integer NOT NULL,\n\t`device_no` integer NOT NULL,\n\t`received_at` integer NOT NULL,\n\t`record_id` text NOT NULL,\n\t`door_id` text NOT NULL,\n\t`ext_id` text NOT NULL,\n\t`employee_id` integer,\n\t`check_type` text NOT NULL,\n\t`check_time_seconds` integer NOT NULL,\n\t`check_data` text NOT NULL,\n\t`check_result` integer NOT NULL,\n\t`clock_skew_seconds` integer,\n\t`sealed_capture_img` blob\n);",
      "INSERT INTO `__new_access_record` SELECT `id`, `seq`, `device_no`, `received_at`, `record_id`, `door_id`, `ext_id`, NULL, `check_type`, `check_time_seconds`, `check_data`, `check_result`, NULL, `sealed_capture_img` FROM `access_record`;",
      "DROP TABLE `access_record`;",
      "ALTER TABLE `__new_access_record` RENAME TO `access_record`;",
      "CREATE TABLE `__new_department` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`ext_id` text UNIQUE,\n\t`name` text NOT NULL,\n\t`parent_id` integer,\n\t`cloud_id` text UNIQUE,\n\t`mirrored` text\n);",
      "INSERT INTO `__new_department` (`id`, `ext_id`, `name`) SELECT `id`, `ext_id`, `name` FROM `department`;",
      "INSERT INTO `__new_department` (`ext_id`, `name`) SELECT '0', '' WHERE NOT EXISTS (SELECT 1 FROM `__new_department` WHERE `ext_id` = '0');",
      "UPDATE `__new_department` SET `parent_id` = coalesce((SELECT above.`id` FROM `department` own JOIN `__new_department` above ON above.`ext_id` = own.`parent_ext_id` WHERE own.`id` = `__new_department`.`id`), (SELECT `id` FROM `__new_department` WHERE `ext_id` = '0')) WHERE `ext_id` <> '0';",
      "DROP TABLE `department`;",
      "ALTER TABLE `__new_department` RENAME TO `department`;",
      "CREATE TABLE `__new_employee` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`ext_id` text UNIQUE,\n\t`name` text NOT NULL,\n\t`mobile` text NOT NULL,\n\t`employee_num` text NOT NULL,\n\t`department_id` integer NOT NULL,\n\t`title` text NOT NULL,\n\t`cloud_id` text UNIQUE,\n\t`mirrored` text\n);",
      "INSERT INTO `__new_employee` (`id`, `ext_id`, `name`, `mobile`, `employee_num`, `department_id`, `title`) SELECT `id`, `ext_id`, `name`, `mobile`, `employee_num`, coalesce((SELECT `id` FROM `department` WHERE `department`.`ext_id` = `employee`.`department_ext_id`), (SELECT `id` FROM `department` WHERE `ext_id` = '0')), `title` FROM `employee`;",
      "DROP TABLE `employee`;",
      "ALTER TABLE `__new_employee` RENAME TO `employee`;",
      "INSERT INTO `person_change` SELECT row_number() OVER (ORDER BY `id`), `ext_id`, 0 FROM `employee`;",
      "UPDATE `counter` SET `value` = (SELECT count(*) FROM `person_change`) WHERE `name` = 'person_change';",
      "ALTER TABLE `feature` DROP COLUMN `is_abnormal`;",
      "ALTER TABLE `last_seen` ADD `clock_skew_seconds` integer;",
      "ALTER TABLE `product` ADD `face_features` integer DEFAULT true NOT NULL;",
      "CREATE INDEX `access_record_by_time` ON `access_record` (`check_time_seconds`);",
      "CREATE INDEX `department_by_parent` ON `department` (`parent_id`);",
      "CREATE INDEX `employee_by_number` ON `employee` (`employee_num`);",
      "CREATE INDEX `employee_by_department` ON `employee` (`department_id`);",
      "CREATE INDEX `checkin_by_time` ON `checkin` (`check_time_seconds`);",
      "CREATE INDEX `checkin_by_person` ON `checkin` (`employee_id`,`check_time_seconds`);",
      "CREATE UNIQUE INDEX `checkin_late` ON `checkin` (`late_no`) WHERE late_no IS NOT NULL;",
      "CREATE INDEX `access_record_by_person` ON `access_record` (`ext_id`,`check_time_seconds`);",
      "CREATE INDEX `access_record_passed` ON `access_record` (`id`) WHERE check_result = 0;",
      "CREATE INDEX `checkin_unresolved_by_person` ON `checkin_unresolved` (`ext_id`) WHERE ext_id <> '';",
      "CREATE INDEX `checkin_unresolved_by_number` ON `checkin_unresolved` (`employee_num`) WHERE employee_num <> '';",
      "CREATE INDEX `checkin_unresolved_by_time` ON `checkin_unresolved` (`check_time_seconds`);"
    ]
  },
  {
    "name": "20261121085500_accounts_and_services",
    "statements": [
      "CREATE TABLE `cloud_person` (\n\t`openid` text PRIMARY KEY,\n\t`user_name` text NOT NULL\n);",
      "CREATE TABLE `login_session` (\n\t`id_hash` text PRIMARY KEY,\n\t`user_name` text NOT NULL,\n\t`credential` text NOT NULL,\n\t`opened_at` integer NOT NULL,\n\t`seen_at` integer NOT NULL,\n\t`ends_at` integer NOT NULL,\n\t`address` text NOT NULL,\n\t`agent` text NOT NULL\n);",
      "CREATE TABLE `oauth_code` (\n\t`code_hash` text PRIMARY KEY,\n\t`client_id` text NOT NULL,\n\t`user_name` text NOT NULL,\n\t`redirect_uri` text NOT NULL,\n\t`scope` text NOT NULL,\n\t`challenge` text,\n\t`issued_at` integer NOT NULL,\n\t`grant_id` integer\n);",
      "CREATE TABLE `oauth_consent` (\n\t`client_id` text NOT NULL,\n\t`user_name` text NOT NULL,\n\t`scope` text NOT NULL,\n\t`given_at` integer NOT NULL,\n\tCONSTRAINT `oauth_consent_pk` PRIMARY KEY(`client_id`, `user_name`)\n);",
      "CREATE TABLE `oauth_grant` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`client_id` text NOT NULL,\n\t`user_name` text NOT NULL,\n\t`scope` text NOT NULL,\n\t`refresh_hash` text NOT NULL UNIQUE,\n\t`made_at` integer NOT NULL,\n\t`used_at` integer NOT NULL\n);",
      "CREATE TABLE `oauth_token` (\n\t`token_hash` text PRIMARY KEY,\n\t`grant_id` integer NOT NULL,\n\t`issued_at` integer NOT NULL,\n\t`expires_at` integer NOT NULL\n);",
      "CREATE TABLE `file` (\n\t`file_id` text PRIMARY KEY,\n\t`app_id` text NOT NULL,\n\t`client` text NOT NULL,\n\t`name` text NOT NULL,\n\t`content_type` text NOT NULL,\n\t`bytes` integer NOT NULL,\n\t`sha256` text NOT NULL,\n\t`is_public` integer NOT NULL,\n\t`over_https` integer NOT NULL,\n\t`stored_at` integer NOT NULL,\n\t`due_at` integer,\n\t`cloud_file_id` text,\n\t`waits` integer NOT NULL,\n\t`refusal` text\n);",
      "CREATE TABLE `message` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`msg_id` text NOT NULL UNIQUE,\n\t`kind` text NOT NULL,\n\t`app_id` text NOT NULL,\n\t`accepted_at` integer NOT NULL,\n\t`title` text NOT NULL,\n\t`sealed_content` blob NOT NULL,\n\t`android_send` integer NOT NULL,\n\t`ios_send` integer NOT NULL,\n\t`result` integer NOT NULL,\n\t`relay` text NOT NULL,\n\t`attempted_at` integer,\n\t`cloud_msg_id` text,\n\t`cloud_android_send` integer NOT NULL,\n\t`cloud_ios_send` integer NOT NULL,\n\t`reason` text NOT NULL\n);",
      "CREATE TABLE `remembered` (\n\t`service` text NOT NULL,\n\t`key` text NOT NULL,\n\t`value` text NOT NULL,\n\t`at` integer NOT NULL,\n\tCONSTRAINT `remembered_pk` PRIMARY KEY(`service`, `key`)\n);",
      "CREATE TABLE `signed_answer` (\n\t`app_id` text NOT NULL,\n\t`timestamp` text NOT NULL,\n\t`nonce` text NOT NULL,\n\t`body_hash` text NOT NULL,\n\t`answer` text NOT NULL,\n\t`at` integer NOT NULL,\n\tCONSTRAINT `signed_answer_pk` PRIMARY KEY(`app_id`, `timestamp`, `nonce`)\n);",
      "CREATE INDEX `login_session_by_user` ON `login_session` (`user_name`);",
      "CREATE INDEX `oauth_grant_by_user` ON `oauth_grant` (`user_name`);",
      "CREATE INDEX `oauth_token_by_grant` ON `oauth_token` (`grant_id`);",
      "CREATE INDEX `file_by_due` ON `file` (`due_at`);",
      "CREATE INDEX `file_waiting` ON `file` (`waits`,`stored_at`);",
      "CREATE INDEX `message_by_relay` ON `message` (`relay`,`id`);",
      "CREATE INDEX `signed_answer_by_at` ON `signed_answer` (`at`);"
    ]
  },
  {
    "name": "20261121102309_provisioning",
    "statements": [
      "CREATE TABLE `device_peer` (\n\t`model` text PRIMARY KEY,\n\t`service` text NOT NULL,\n\t`write` text NOT NULL,\n\t`notify` text NOT NULL,\n\t`password_form` text NOT NULL\n);",
      "CREATE TABLE `device_setup` (\n\t`device_id` text PRIMARY KEY,\n\t`model` text NOT NULL,\n\t`status` integer NOT NULL,\n\t`error` integer,\n\t`message` text NOT NULL,\n\t`mac` text NOT NULL,\n\t`address` text NOT NULL,\n\t`mask` text NOT NULL,\n\t`gateway` text NOT NULL,\n\t`via` text NOT NULL,\n\t`at` integer NOT NULL\n);",
      "CREATE TABLE `network_setup` (\n\t`id` integer PRIMARY KEY,\n\t`state` text NOT NULL,\n\t`changed_at` integer NOT NULL,\n\t`ssid` text NOT NULL,\n\t`sealed_hotspot_key` blob,\n\t`last_status` integer,\n\t`last_error` integer,\n\t`last_says` text,\n\t`last_ssid` text,\n\t`last_at` integer\n);",
      "CREATE INDEX `device_setup_by_at` ON `device_setup` (`at`);"
    ]
  },
  {
    "name": "20261121110914_staff",
    "statements": [
      "CREATE TABLE `admin_token` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`token_hash` text NOT NULL UNIQUE,\n\t`name` text NOT NULL,\n\t`role` text NOT NULL,\n\t`made_by` text NOT NULL,\n\t`made_at` integer NOT NULL,\n\t`ends_at` integer,\n\t`used_at` integer\n);",
      "CREATE TABLE `audit_entry` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`at` integer NOT NULL,\n\t`actor` text NOT NULL,\n\t`role` text NOT NULL,\n\t`address` text NOT NULL,\n\t`action` text NOT NULL,\n\t`subject` text NOT NULL,\n\t`outcome` text NOT NULL\n);",
      "CREATE INDEX `audit_entry_by_actor` ON `audit_entry` (`actor`,`id`);"
    ]
  },
  {
    "name": "20261122103253_purpose_of_sessions",
    "statements": [
      "CREATE TABLE `oauth_used_refresh` (\n\t`refresh_hash` text PRIMARY KEY,\n\t`grant_id` integer NOT NULL,\n\t`used_at` integer NOT NULL\n);",
      "ALTER TABLE `local_user` ADD `has_role` integer;",
      "ALTER TABLE `oauth_client` ADD `public` integer DEFAULT 0 NOT NULL;",
      "ALTER TABLE `login_session` ADD `purpose` text DEFAULT '' NOT NULL;",
      "CREATE INDEX `oauth_used_refresh_by_grant` ON `oauth_used_refresh` (`grant_id`,`used_at`);"
    ]
  },
  {
    "name": "20261122105037_audit_chain",
    "statements": [
      "CREATE TABLE `audit_chain` (\n\t`chain` text PRIMARY KEY,\n\t`begun_at` integer NOT NULL,\n\t`begin_id` integer NOT NULL,\n\t`begin_hash` text NOT NULL,\n\t`head_id` integer NOT NULL,\n\t`head_hash` text NOT NULL,\n\t`unchained_through` integer NOT NULL,\n\t`removed` integer DEFAULT 0 NOT NULL\n);",
      "ALTER TABLE `audit_entry` ADD `chain` text;",
      "ALTER TABLE `audit_entry` ADD `count` integer DEFAULT 1 NOT NULL;",
      "ALTER TABLE `audit_entry` ADD `last_at` integer;",
      "ALTER TABLE `audit_entry` ADD `hash` text;",
      "CREATE INDEX `audit_entry_by_chain` ON `audit_entry` (`chain`,`id`);"
    ]
  },
  {
    "name": "20261122110311_people",
    "statements": [
      "CREATE TABLE `biometric_record` (\n\t`ext_id` text NOT NULL,\n\t`seq` integer NOT NULL,\n\tCONSTRAINT `biometric_record_pk` PRIMARY KEY(`ext_id`, `seq`)\n);",
      "CREATE TABLE `erasure` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`ext_id` text NOT NULL,\n\t`at` integer NOT NULL,\n\t`through_seq` integer NOT NULL,\n\t`done_at` integer\n);",
      "ALTER TABLE `device` ADD `people_data` text;",
      "ALTER TABLE `product` ADD `pass_features` integer DEFAULT false NOT NULL;",
      "ALTER TABLE `employee` ADD `sealed_mobile` blob;",
      "ALTER TABLE `organization_conflict` ADD `sealed_sides` blob;",
      "ALTER TABLE `organization_conflict` ADD `fingerprint` text;",
      "CREATE INDEX `biometric_record_by_seq` ON `biometric_record` (`seq`);",
      "CREATE INDEX `erasure_by_person` ON `erasure` (`ext_id`,`through_seq`);"
    ]
  },
  {
    "name": "20261122111350_two_queues",
    "statements": [
      "ALTER TABLE `confirmation` ADD `channels` integer DEFAULT 3 NOT NULL;",
      "ALTER TABLE `device` ADD `forwarded_message_seq` integer DEFAULT 0 NOT NULL;",
      "ALTER TABLE `device` ADD `forwarded_log_seq` integer DEFAULT 0 NOT NULL;"
    ]
  },
  {
    "name": "20261122112323_boxes_below",
    "statements": [
      "CREATE TABLE `box_below` (\n\t`box_id` text PRIMARY KEY,\n\t`name` text NOT NULL\n);",
      "ALTER TABLE `device` ADD `belongs_to` text;",
      "ALTER TABLE `device` ADD `belongs_by` text;"
    ]
  },
  {
    "name": "20261122113646_room_samples",
    "statements": [
      "CREATE TABLE `room_sample` (\n\t`at` integer PRIMARY KEY,\n\t`room_bytes` integer NOT NULL\n);"
    ]
  },
  {
    "name": "20261122115938_device_keys",
    "statements": [
      "ALTER TABLE `device` ADD `sealed_next_keys` blob;",
      "ALTER TABLE `device` ADD `last_address` text;",
      "ALTER TABLE `product` ADD `new_devices_until` integer;"
    ]
  },
  {
    "name": "20261122172705_ids_when_visible",
    "statements": [
      "ALTER TABLE `checkin` ADD `shown_id` integer;",
      "ALTER TABLE `checkin` ADD `old_late_no` integer;",
      "ALTER TABLE `checkin_unresolved` ADD `shown_id` integer;",
      "CREATE INDEX `checkin_old_late` ON `checkin` (`old_late_no`) WHERE old_late_no IS NOT NULL;",
      "CREATE INDEX `checkin_old_place` ON `checkin` (`shown_id`) WHERE old_late_no IS NOT NULL;"
    ]
  },
  {
    "name": "20261122175505_cloud_records",
    "statements": [
      "CREATE TABLE `cloud_access` (\n\t`cloud_id` integer PRIMARY KEY,\n\t`access_id` integer NOT NULL\n);",
      "CREATE TABLE `cloud_checkin` (\n\t`cloud_id` text PRIMARY KEY,\n\t`checkin_id` integer,\n\t`user_id` text,\n\t`ext_id` text,\n\t`waiting` text\n);",
      "CREATE TABLE `mirror_cursor` (\n\t`list` text PRIMARY KEY,\n\t`next_id` integer NOT NULL,\n\t`whole_at` integer\n);",
      "CREATE TABLE `uncertain_match` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`at` integer NOT NULL,\n\t`kind` text NOT NULL,\n\t`site_id` integer NOT NULL,\n\t`cloud_id` integer NOT NULL\n);",
      "CREATE UNIQUE INDEX `cloud_access_by_record` ON `cloud_access` (`access_id`);",
      "CREATE UNIQUE INDEX `cloud_checkin_by_checkin` ON `cloud_checkin` (`checkin_id`) WHERE checkin_id IS NOT NULL;",
      "CREATE INDEX `cloud_checkin_waiting` ON `cloud_checkin` (`ext_id`) WHERE checkin_id IS NULL;"
    ]
  },
  {
    "name": "20261122182441_messages_of_cloud",
    "statements": [
      "CREATE INDEX `message_by_cloud_id` ON `message` (`cloud_msg_id`);"
    ]
  },
  {
    "name": "20261122211208_batch_refusals",
    "statements": [
      "CREATE TABLE `batch_refusal` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`box_no` integer NOT NULL,\n\t`epoch` text NOT NULL,\n\t`seq` integer NOT NULL,\n\t`code` integer NOT NULL,\n\t`msg` text NOT NULL\n);",
      "CREATE UNIQUE INDEX `batch_refusal_by_seq` ON `batch_refusal` (`box_no`,`epoch`,`seq`);",
      "CREATE INDEX `batch_refusal_by_box` ON `batch_refusal` (`box_no`,`id`);"
    ]
  },
  {
    "name": "20261122215635_clocks_of_devices",
    "statements": [
      "CREATE TABLE `device_clock` (\n\t`device_no` integer NOT NULL,\n\t`begun_at` integer NOT NULL,\n\t`first_said` integer NOT NULL,\n\t`last_said` integer NOT NULL,\n\t`low_ms` integer NOT NULL,\n\t`low_at` integer NOT NULL,\n\t`high_ms` integer,\n\t`high_at` integer NOT NULL,\n\t`near_count` integer NOT NULL,\n\t`near_hours` integer NOT NULL,\n\t`near_last_at` integer NOT NULL,\n\t`near_gap_min_ms` integer,\n\t`near_gap_max_ms` integer,\n\t`is_ended` integer NOT NULL,\n\tCONSTRAINT `device_clock_pk` PRIMARY KEY(`device_no`, `begun_at`)\n);",
      "ALTER TABLE `access_record` ADD `clock_low_ms` integer;",
      "ALTER TABLE `access_record` ADD `clock_high_ms` integer;",
      "ALTER TABLE `checkin` ADD `clock_low_ms` integer;",
      "ALTER TABLE `checkin` ADD `clock_high_ms` integer;",
      "ALTER TABLE `checkin_unresolved` ADD `clock_low_ms` integer;",
      "ALTER TABLE `checkin_unresolved` ADD `clock_high_ms` integer;"
    ]
  },
  {
    "name": "20261122221253_product_registration",
    "statements": [
      "ALTER TABLE `product` ADD `registration` text DEFAULT '{}' NOT NULL;"
    ]
  },
  {
    "name": "20261123005103_history",
    "statements": [
      "CREATE TABLE `history_hour` (\n\t`slot` integer PRIMARY KEY,\n\t`hour` integer NOT NULL,\n\t`minutes` integer NOT NULL,\n\t`waiting` integer,\n\t`records` integer NOT NULL,\n\t`waits` blob NOT NULL,\n\t`free_bytes` integer,\n\t`temperature_tenths` integer,\n\t`line_seconds` integer,\n\t`online` integer NOT NULL,\n\t`online_minutes` blob NOT NULL\n);",
      "CREATE TABLE `history_minute` (\n\t`slot` integer PRIMARY KEY,\n\t`minute` integer NOT NULL,\n\t`waiting` integer,\n\t`records` integer NOT NULL,\n\t`waits` blob NOT NULL,\n\t`free_bytes` integer,\n\t`temperature_tenths` integer,\n\t`line_seconds` integer,\n\t`online` integer NOT NULL,\n\t`online_devices` blob NOT NULL\n);"
    ]
  },
  {
    "name": "20261123010901_corrections",
    "statements": [
      "CREATE TABLE `correction` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`kind` text NOT NULL,\n\t`reason` text NOT NULL,\n\t`asked_by` text NOT NULL,\n\t`asked_at` integer NOT NULL,\n\t`reverses` integer\n);",
      "CREATE TABLE `correction_decision` (\n\t`correction_id` integer PRIMARY KEY,\n\t`state` text NOT NULL,\n\t`decided_by` text NOT NULL,\n\t`decided_at` integer NOT NULL\n);",
      "CREATE TABLE `correction_item` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`correction_id` integer NOT NULL,\n\t`ext_id` text NOT NULL,\n\t`at_seconds` integer NOT NULL,\n\t`checkin_id` integer\n);",
      "CREATE INDEX `correction_by_reversed` ON `correction` (`reverses`) WHERE reverses IS NOT NULL;",
      "CREATE INDEX `correction_item_by_correction` ON `correction_item` (`correction_id`);",
      "CREATE INDEX `correction_item_by_person` ON `correction_item` (`ext_id`,`at_seconds`);",
      "CREATE INDEX `correction_item_by_checkin` ON `correction_item` (`checkin_id`) WHERE checkin_id IS NOT NULL;"
    ]
  },
  {
    "name": "20261123011043_schedules",
    "statements": [
      "CREATE TABLE `day_override` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`date` text NOT NULL,\n\t`target_kind` text NOT NULL,\n\t`target_id` text NOT NULL,\n\t`what` text NOT NULL,\n\t`weekday` integer,\n\t`code` text,\n\t`reason` text NOT NULL,\n\t`recorded_at` integer NOT NULL,\n\t`recorded_by` text NOT NULL\n);",
      "CREATE TABLE `employment` (\n\t`ext_id` text PRIMARY KEY,\n\t`from_date` text,\n\t`to_date` text,\n\t`off_terminals` integer DEFAULT false NOT NULL\n);",
      "CREATE TABLE `leave` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`ext_id` text NOT NULL,\n\t`from_time` text NOT NULL,\n\t`to_time` text NOT NULL,\n\t`kind` text NOT NULL,\n\t`paid` integer NOT NULL,\n\t`state` text NOT NULL,\n\t`reason` text NOT NULL,\n\t`recorded_at` integer NOT NULL,\n\t`recorded_by` text NOT NULL,\n\t`decided_at` integer,\n\t`decided_by` text\n);",
      "CREATE TABLE `roster_rule` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`target_kind` text NOT NULL,\n\t`target_id` text NOT NULL,\n\t`cycle` text NOT NULL,\n\t`anchor` text NOT NULL,\n\t`from_date` text NOT NULL,\n\t`to_date` text,\n\t`recorded_at` integer NOT NULL,\n\t`recorded_by` text NOT NULL\n);",
      "CREATE TABLE `shift_version` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`code` text NOT NULL,\n\t`name` text NOT NULL,\n\t`valid_from` text NOT NULL,\n\t`plan` text NOT NULL,\n\t`recorded_at` integer NOT NULL,\n\t`recorded_by` text NOT NULL\n);",
      "CREATE UNIQUE INDEX `day_override_by_date` ON `day_override` (`date`,`target_kind`,`target_id`);",
      "CREATE INDEX `employment_by_end` ON `employment` (`to_date`) WHERE off_terminals = 0 AND to_date IS NOT NULL;",
      "CREATE INDEX `leave_by_person` ON `leave` (`ext_id`,`from_time`);",
      "CREATE INDEX `leave_by_end` ON `leave` (`to_time`);",
      "CREATE UNIQUE INDEX `roster_rule_by_target` ON `roster_rule` (`target_kind`,`target_id`,`from_date`);",
      "CREATE INDEX `shift_version_by_code` ON `shift_version` (`code`,`valid_from`,`id`);"
    ]
  },
  {
    "name": "20261123011411_alerts",
    "statements": [
      "CREATE TABLE `alert` (\n\t`id` text PRIMARY KEY,\n\t`kind` text NOT NULL,\n\t`subject` text NOT NULL,\n\t`severity` text NOT NULL,\n\t`since` integer NOT NULL,\n\t`opened_at` integer NOT NULL,\n\t`announced_at` integer,\n\t`announced_as` text,\n\t`over_at` integer,\n\t`is_done` integer NOT NULL,\n\t`details` text NOT NULL\n);",
      "CREATE TABLE `alert_message` (\n\t`id` text PRIMARY KEY,\n\t`channel` text NOT NULL,\n\t`attempts` integer NOT NULL,\n\t`next_at` integer NOT NULL,\n\t`content` text NOT NULL\n);",
      "CREATE TABLE `alert_setting` (\n\t`key` text PRIMARY KEY,\n\t`sealed_value` blob NOT NULL\n);",
      "CREATE INDEX `alert_by_done` ON `alert` (`is_done`,`opened_at`);"
    ]
  },
  {
    "name": "20261123034952_backup_copies",
    "statements": [
      "CREATE TABLE `backup_copy` (\n\t`target` text NOT NULL,\n\t`name` text NOT NULL,\n\t`made_at` integer NOT NULL,\n\t`bytes` integer NOT NULL,\n\t`sha256` text NOT NULL,\n\t`verified_at` integer,\n\t`restore_tried_at` integer,\n\tCONSTRAINT `backup_copy_pk` PRIMARY KEY(`target`, `name`)\n);",
      "CREATE TABLE `backup_setting` (\n\t`key` text PRIMARY KEY,\n\t`sealed_value` blob NOT NULL\n);"
    ]
  },
  {
    "name": "20261123040157_closed_months",
    "statements": [
      "CREATE TABLE `period` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`month` text NOT NULL,\n\t`scope_id` text NOT NULL,\n\t`scope_name` text NOT NULL,\n\t`revision` integer NOT NULL,\n\t`state` text NOT NULL,\n\t`closed_at` integer NOT NULL,\n\t`closed_by` text NOT NULL,\n\t`forced` text,\n\t`time_zone` text NOT NULL,\n\t`rules` text NOT NULL,\n\t`hash` text DEFAULT '' NOT NULL,\n\t`head` text DEFAULT '' NOT NULL,\n\t`foot` text DEFAULT '' NOT NULL,\n\t`reopen_reason` text,\n\t`reopen_asked_at` integer,\n\t`reopen_asked_by` text,\n\t`reopened_at` integer,\n\t`reopened_by` text,\n\t`checked_at` integer,\n\t`checked_of` text\n);",
      "CREATE TABLE `period_change` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`period_id` integer NOT NULL,\n\t`kind` text NOT NULL,\n\t`ext_id` text NOT NULL,\n\t`name` text NOT NULL,\n\t`date` text NOT NULL,\n\t`was` text,\n\t`now` text,\n\t`noticed_at` integer NOT NULL\n);",
      "CREATE TABLE `period_row` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`period_id` integer NOT NULL,\n\t`ext_id` text NOT NULL,\n\t`name` text NOT NULL,\n\t`employee_num` text NOT NULL,\n\t`departments` text NOT NULL,\n\t`packed` blob NOT NULL\n);",
      "ALTER TABLE `correction_item` ADD `work_date` text;",
      "CREATE UNIQUE INDEX `period_by_month` ON `period` (`month`,`scope_id`,`revision`);",
      "CREATE UNIQUE INDEX `period_change_by_day` ON `period_change` (`period_id`,`kind`,`ext_id`,`date`);",
      "CREATE INDEX `period_row_by_period` ON `period_row` (`period_id`,`id`);",
      "CREATE INDEX `period_row_by_person` ON `period_row` (`ext_id`,`period_id`);"
    ]
  },
  {
    "name": "20261123041035_people_changes",
    "statements": [
      "CREATE TABLE `bulk_change` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`at` integer NOT NULL,\n\t`by` text NOT NULL,\n\t`what` text NOT NULL\n);",
      "CREATE TABLE `bulk_change_row` (\n\t`bulk_id` integer NOT NULL,\n\t`ext_id` text NOT NULL,\n\t`before` text NOT NULL,\n\t`after` text NOT NULL,\n\tCONSTRAINT `bulk_change_row_pk` PRIMARY KEY(`bulk_id`, `ext_id`)\n);",
      "CREATE TABLE `person_alias` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`said_ext_id` text NOT NULL,\n\t`said_number` text NOT NULL,\n\t`ext_id` text NOT NULL,\n\t`at` integer NOT NULL,\n\t`by` text NOT NULL\n);",
      "CREATE TABLE `person_alias_checkin` (\n\t`checkin_id` integer PRIMARY KEY,\n\t`alias_id` integer NOT NULL\n);",
      "ALTER TABLE `employee` ADD `search_keys` text;",
      "CREATE UNIQUE INDEX `person_alias_said` ON `person_alias` (`said_ext_id`,`said_number`);",
      "CREATE INDEX `person_alias_by_person` ON `person_alias` (`ext_id`);",
      "CREATE INDEX `person_alias_checkin_by_alias` ON `person_alias_checkin` (`alias_id`);"
    ]
  },
  {
    "name": "20261123075853_bulk_changes_by_subject",
    "statements": [
      "CREATE INDEX `bulk_change_row_by_subject` ON `bulk_change_row` (`ext_id`);"
    ]
  },
  {
    "name": "20261123131614_segment_format",
    "statements": [
      "CREATE TABLE `segment_format` (\n\t`version` integer PRIMARY KEY,\n\t`known_since` integer NOT NULL\n);"
    ]
  },
  {
    "name": "20261123144054_checkins_by_shown_id",
    "statements": [
      "CREATE INDEX `checkin_shown` ON `checkin` (`shown_id`) WHERE shown_id IS NOT NULL;",
      "CREATE INDEX `checkin_unresolved_shown` ON `checkin_unresolved` (`shown_id`) WHERE shown_id IS NOT NULL;"
    ]
  },
  {
    "name": "20261123165319_log_blocks",
    "statements": [
      "CREATE TABLE `log_block` (\n\t`first_seq` integer PRIMARY KEY,\n\t`last_seq` integer NOT NULL,\n\t`received_from` integer NOT NULL,\n\t`received_to` integer NOT NULL,\n\t`count` integer NOT NULL,\n\t`bytes` integer NOT NULL,\n\t`devices` blob NOT NULL\n);",
      "CREATE TABLE `log_block_content` (\n\t`first_seq` integer PRIMARY KEY,\n\t`device_counts` blob NOT NULL,\n\t`sealed_logs` blob NOT NULL\n);"
    ]
  },
  {
    "name": "20261124160250_tokens_of_programs",
    "statements": [
      "ALTER TABLE `admin_token` ADD `topics` text;",
      "ALTER TABLE `admin_token` ADD `actions` text;"
    ]
  },
  {
    "name": "20261124171016_webhook_places",
    "statements": [
      "CREATE TABLE `webhook_place` (\n\t`name` text NOT NULL,\n\t`kind` text NOT NULL,\n\t`seq` integer NOT NULL,\n\tCONSTRAINT `webhook_place_pk` PRIMARY KEY(`name`, `kind`)\n);"
    ]
  },
  {
    "name": "20261127044910_missing_at_cloud",
    "statements": [
      "ALTER TABLE `department` ADD `missing_since` integer;",
      "ALTER TABLE `employee` ADD `missing_since` integer;"
    ]
  },
  {
    "name": "20261127045215_malformed_messages",
    "statements": [
      "ALTER TABLE `last_seen` ADD `malformed_count` integer DEFAULT 0 NOT NULL;",
      "ALTER TABLE `last_seen` ADD `malformed_since` integer;",
      "ALTER TABLE `last_seen` ADD `malformed_at` integer;",
      "ALTER TABLE `last_seen` ADD `malformed_seq` integer;",
      "ALTER TABLE `last_seen` ADD `malformed_why` text;"
    ]
  },
  {
    "name": "20261127112242_places",
    "statements": [
      "CREATE TABLE `former_place` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT,\n\t`kind` text NOT NULL,\n\t`subject_id` integer NOT NULL,\n\t`until` text NOT NULL,\n\t`department_id` integer NOT NULL\n);",
      "CREATE TABLE `gone_department` (\n\t`id` integer PRIMARY KEY,\n\t`ext_id` text,\n\t`name` text NOT NULL,\n\t`parent_id` integer\n);",
      "ALTER TABLE `department` ADD `parent_since` text;",
      "ALTER TABLE `employee` ADD `department_since` text;",
      "CREATE UNIQUE INDEX `former_place_by_subject` ON `former_place` (`kind`,`subject_id`,`until`);",
      "CREATE INDEX `former_place_by_department` ON `former_place` (`department_id`);"
    ]
  },
  {
    "name": "20261127120542_earlier_stints",
    "statements": [
      "ALTER TABLE `employment` ADD `earlier` text DEFAULT '[]' NOT NULL;"
    ]
  },
  {
    "name": "20261127123146_redirect_uri_of_clients",
    "statements": [
      "ALTER TABLE `oauth_client` ADD `needs_redirect_uri` integer DEFAULT 0 NOT NULL;"
    ]
  }
];
