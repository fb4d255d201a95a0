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
  }
];
