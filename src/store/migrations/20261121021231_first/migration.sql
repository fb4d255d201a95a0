CREATE TABLE `access_record` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`seq` integer NOT NULL,
	`device_no` integer NOT NULL,
	`received_at` integer NOT NULL,
	`record_id` text NOT NULL,
	`door_id` text NOT NULL,
	`ext_id` text NOT NULL,
	`check_type` text NOT NULL,
	`check_time_seconds` integer NOT NULL,
	`check_data` text NOT NULL,
	`check_result` integer NOT NULL,
	`sealed_capture_img` blob
);
--> statement-breakpoint
CREATE TABLE `app` (
	`app_id` text PRIMARY KEY,
	`sealed_key` blob NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `app_upgrade` (
	`app_code` text NOT NULL,
	`version` text NOT NULL,
	`record` text NOT NULL,
	CONSTRAINT `app_upgrade_pk` PRIMARY KEY(`app_code`, `version`)
);
--> statement-breakpoint
CREATE TABLE `attendance_caller` (
	`app_key` text PRIMARY KEY,
	`sealed_secret` blob NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `batch_cursor` (
	`box_no` integer NOT NULL,
	`epoch` text NOT NULL,
	`seq` integer NOT NULL,
	CONSTRAINT `batch_cursor_pk` PRIMARY KEY(`box_no`, `epoch`)
);
--> statement-breakpoint
CREATE TABLE `checkin` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`seq` integer NOT NULL,
	`device_no` integer NOT NULL,
	`received_at` integer NOT NULL,
	`record_id` text NOT NULL,
	`ext_id` text NOT NULL,
	`employee_num` text NOT NULL,
	`check_type` text NOT NULL,
	`check_time_seconds` integer NOT NULL,
	`check_data` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `confirmation` (
	`device_no` integer NOT NULL,
	`up_to_seq` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	`via` text NOT NULL,
	CONSTRAINT `confirmation_pk` PRIMARY KEY(`device_no`, `up_to_seq`)
);
--> statement-breakpoint
CREATE TABLE `department` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text NOT NULL UNIQUE,
	`name` text NOT NULL,
	`parent_ext_id` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device` (
	`device_no` integer PRIMARY KEY AUTOINCREMENT,
	`device_id` text NOT NULL UNIQUE,
	`product_id` text NOT NULL,
	`name` text NOT NULL,
	`listed` integer NOT NULL,
	`sealed_access_key` blob,
	`key_issued_at` integer,
	`key_confirmed_at` integer,
	`product_key_until` integer,
	`activation_mid` text,
	`sealed_presented_password` blob,
	`blocked` integer NOT NULL,
	`first_seen_at` integer NOT NULL,
	`forwarded_seq` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device_log` (
	`seq` integer PRIMARY KEY,
	`device_no` integer NOT NULL,
	`received_at` integer NOT NULL,
	`path` text NOT NULL,
	`marks` integer NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dropped` (
	`reason` text PRIMARY KEY,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `employee` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text NOT NULL UNIQUE,
	`name` text NOT NULL,
	`mobile` text NOT NULL,
	`employee_num` text NOT NULL,
	`department_ext_id` text NOT NULL,
	`title` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`device_no` integer NOT NULL,
	`kind` text NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feature` (
	`ext_id` text NOT NULL,
	`feature_type` text NOT NULL,
	`feature_alg` text NOT NULL,
	`sealed_values` blob NOT NULL,
	`is_abnormal` integer NOT NULL,
	`device_no` integer,
	`stored_at` integer NOT NULL,
	CONSTRAINT `feature_pk` PRIMARY KEY(`ext_id`, `feature_type`, `feature_alg`)
);
--> statement-breakpoint
CREATE TABLE `inbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`device_no` integer NOT NULL,
	`put_at` integer NOT NULL,
	`sealed_message` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `last_seen` (
	`device_no` integer PRIMARY KEY,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `local_user` (
	`name` text PRIMARY KEY,
	`password_hash` text,
	`role` text NOT NULL,
	`headimgurl` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_day_count` (
	`day` text NOT NULL,
	`device_no` integer NOT NULL,
	`stored` integer NOT NULL,
	CONSTRAINT `log_day_count_pk` PRIMARY KEY(`day`, `device_no`)
);
--> statement-breakpoint
CREATE TABLE `message_template` (
	`template` text PRIMARY KEY,
	`title` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oauth_client` (
	`client_id` text PRIMARY KEY,
	`sealed_secret` blob NOT NULL,
	`name` text NOT NULL,
	`logo_url` text NOT NULL,
	`redirect_uris` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `parked` (
	`seq` integer PRIMARY KEY,
	`device_no` integer NOT NULL,
	`parked_at` integer NOT NULL,
	`code` integer NOT NULL,
	`reason` text NOT NULL,
	`send_again` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `product` (
	`product_id` text PRIMARY KEY,
	`name` text NOT NULL,
	`icon` text NOT NULL,
	`introduction` text NOT NULL,
	`model` text NOT NULL,
	`access` text NOT NULL,
	`sealed_key` blob NOT NULL,
	`sealed_other_environment_key` blob
);
--> statement-breakpoint
CREATE TABLE `projection_cursor` (
	`id` integer PRIMARY KEY,
	`seq` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refusal` (
	`client_id` text NOT NULL,
	`code` text NOT NULL,
	`door` text NOT NULL,
	`address` text NOT NULL,
	`detail` text NOT NULL,
	`count` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	CONSTRAINT `refusal_pk` PRIMARY KEY(`client_id`, `code`)
);
--> statement-breakpoint
CREATE TABLE `report_seen` (
	`device_no` integer NOT NULL,
	`mid_hash` blob NOT NULL,
	`data_hash` blob NOT NULL,
	`seen_at` integer NOT NULL,
	CONSTRAINT `report_seen_pk` PRIMARY KEY(`device_no`, `mid_hash`, `data_hash`)
);
--> statement-breakpoint
CREATE TABLE `segment` (
	`first_seq` integer PRIMARY KEY,
	`count` integer NOT NULL,
	`received_from` integer NOT NULL,
	`received_to` integer NOT NULL,
	`channels` integer NOT NULL,
	`devices` blob NOT NULL,
	`sealed_records` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `access_record_by_time` ON `access_record` (`check_time_seconds`);--> statement-breakpoint
CREATE INDEX `checkin_by_time` ON `checkin` (`check_time_seconds`);--> statement-breakpoint
CREATE INDEX `checkin_by_person` ON `checkin` (`ext_id`,`check_time_seconds`);--> statement-breakpoint
CREATE INDEX `device_log_by_device` ON `device_log` (`device_no`,`seq`);--> statement-breakpoint
CREATE INDEX `event_by_device` ON `event` (`device_no`,`id`);--> statement-breakpoint
CREATE INDEX `inbox_by_device` ON `inbox` (`device_no`,`id`);--> statement-breakpoint
CREATE INDEX `refusal_by_age` ON `refusal` (`last_at`);--> statement-breakpoint
CREATE INDEX `report_seen_by_age` ON `report_seen` (`seen_at`);