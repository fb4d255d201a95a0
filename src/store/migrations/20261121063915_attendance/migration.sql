CREATE TABLE `checkin_unresolved` (
	`id` integer PRIMARY KEY,
	`seq` integer NOT NULL,
	`device_no` integer NOT NULL,
	`received_at` integer NOT NULL,
	`record_id` text NOT NULL,
	`ext_id` text NOT NULL,
	`employee_num` text NOT NULL,
	`check_type` text NOT NULL,
	`check_time_seconds` integer NOT NULL,
	`check_data` text NOT NULL,
	`clock_skew_seconds` integer
);
--> statement-breakpoint
CREATE TABLE `counter` (
	`name` text PRIMARY KEY,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feature_failure` (
	`ext_id` text NOT NULL,
	`feature_type` text NOT NULL,
	`device_no` integer NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT `feature_failure_pk` PRIMARY KEY(`ext_id`, `feature_type`, `device_no`)
);
--> statement-breakpoint
CREATE TABLE `organization_conflict` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`subject` text NOT NULL,
	`cloud_side` text NOT NULL,
	`box_side` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `organization_write` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`caller` text NOT NULL,
	`path` text NOT NULL,
	`command` text NOT NULL,
	`subject` text NOT NULL,
	`sealed_body` blob NOT NULL,
	`refused_at` integer,
	`code` integer,
	`reason` text
);
--> statement-breakpoint
CREATE TABLE `person_change` (
	`change_no` integer PRIMARY KEY,
	`ext_id` text NOT NULL UNIQUE,
	`removed` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `person_sync` (
	`device_no` integer PRIMARY KEY,
	`change_no` integer NOT NULL,
	`last_from_no` integer NOT NULL,
	`last_to_no` integer NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `checkin_unresolved` SELECT `id`, `seq`, `device_no`, `received_at`, `record_id`, `ext_id`, `employee_num`, `check_type`, `check_time_seconds`, `check_data`, NULL FROM `checkin`;
--> statement-breakpoint
INSERT INTO `counter` SELECT 'checkin', coalesce(max(`id`), 0) FROM `checkin`;
--> statement-breakpoint
INSERT INTO `counter` VALUES ('late', 0), ('person_change', 0), ('to_resolve', 1);
--> statement-breakpoint
DROP TABLE `checkin`;
--> statement-breakpoint
CREATE TABLE `checkin` (
	`id` integer PRIMARY KEY,
	`seq` integer NOT NULL,
	`device_no` integer NOT NULL,
	`received_at` integer NOT NULL,
	`record_id` text NOT NULL,
	`employee_id` integer NOT NULL,
	`terminal_id` text,
	`check_type` text NOT NULL,
	`check_time_seconds` integer NOT NULL,
	`check_data` text NOT NULL,
	`clock_skew_seconds` integer,
	`late_no` integer
);
--> statement-breakpoint
CREATE TABLE `__new_access_record` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`seq` integer NOT NULL,
	`device_no` integer NOT NULL,
	`received_at` integer NOT NULL,
	`record_id` text NOT NULL,
	`door_id` text NOT NULL,
	`ext_id` text NOT NULL,
	`employee_id` integer,
	`check_type` text NOT NULL,
	`check_time_seconds` integer NOT NULL,
	`check_data` text NOT NULL,
	`check_result` integer NOT NULL,
	`clock_skew_seconds` integer,
	`sealed_capture_img` blob
);
--> statement-breakpoint
INSERT INTO `__new_access_record` SELECT `id`, `seq`, `device_no`, `received_at`, `record_id`, `door_id`, `ext_id`, NULL, `check_type`, `check_time_seconds`, `check_data`, `check_result`, NULL, `sealed_capture_img` FROM `access_record`;
--> statement-breakpoint
DROP TABLE `access_record`;
--> statement-breakpoint
ALTER TABLE `__new_access_record` RENAME TO `access_record`;
--> statement-breakpoint
CREATE TABLE `__new_department` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text UNIQUE,
	`name` text NOT NULL,
	`parent_id` integer,
	`cloud_id` text UNIQUE,
	`mirrored` text
);
--> statement-breakpoint
INSERT INTO `__new_department` (`id`, `ext_id`, `name`) SELECT `id`, `ext_id`, `name` FROM `department`;
--> statement-breakpoint
INSERT INTO `__new_department` (`ext_id`, `name`) SELECT '0', '' WHERE NOT EXISTS (SELECT 1 FROM `__new_department` WHERE `ext_id` = '0');
--> statement-breakpoint
UPDATE `__new_department` SET `parent_id` = coalesce((SELECT above.`id` FROM `department` own JOIN `__new_department` above ON above.`ext_id` = own.`parent_ext_id` WHERE own.`id` = `__new_department`.`id`), (SELECT `id` FROM `__new_department` WHERE `ext_id` = '0')) WHERE `ext_id` <> '0';
--> statement-breakpoint
DROP TABLE `department`;
--> statement-breakpoint
ALTER TABLE `__new_department` RENAME TO `department`;
--> statement-breakpoint
CREATE TABLE `__new_employee` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text UNIQUE,
	`name` text NOT NULL,
	`mobile` text NOT NULL,
	`employee_num` text NOT NULL,
	`department_id` integer NOT NULL,
	`title` text NOT NULL,
	`cloud_id` text UNIQUE,
	`mirrored` text
);
--> statement-breakpoint
INSERT INTO `__new_employee` (`id`, `ext_id`, `name`, `mobile`, `employee_num`, `department_id`, `title`) SELECT `id`, `ext_id`, `name`, `mobile`, `employee_num`, coalesce((SELECT `id` FROM `department` WHERE `department`.`ext_id` = `employee`.`department_ext_id`), (SELECT `id` FROM `department` WHERE `ext_id` = '0')), `title` FROM `employee`;
--> statement-breakpoint
DROP TABLE `employee`;
--> statement-breakpoint
ALTER TABLE `__new_employee` RENAME TO `employee`;
--> statement-breakpoint
INSERT INTO `person_change` SELECT row_number() OVER (ORDER BY `id`), `ext_id`, 0 FROM `employee`;
--> statement-breakpoint
UPDATE `counter` SET `value` = (SELECT count(*) FROM `person_change`) WHERE `name` = 'person_change';
--> statement-breakpoint
ALTER TABLE `feature` DROP COLUMN `is_abnormal`;
--> statement-breakpoint
ALTER TABLE `last_seen` ADD `clock_skew_seconds` integer;
--> statement-breakpoint
ALTER TABLE `product` ADD `face_features` integer DEFAULT true NOT NULL;
--> statement-breakpoint
CREATE INDEX `access_record_by_time` ON `access_record` (`check_time_seconds`);
--> statement-breakpoint
CREATE INDEX `department_by_parent` ON `department` (`parent_id`);
--> statement-breakpoint
CREATE INDEX `employee_by_number` ON `employee` (`employee_num`);
--> statement-breakpoint
CREATE INDEX `employee_by_department` ON `employee` (`department_id`);
--> statement-breakpoint
CREATE INDEX `checkin_by_time` ON `checkin` (`check_time_seconds`);
--> statement-breakpoint
CREATE INDEX `checkin_by_person` ON `checkin` (`employee_id`,`check_time_seconds`);
--> statement-breakpoint
CREATE UNIQUE INDEX `checkin_late` ON `checkin` (`late_no`) WHERE late_no IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `access_record_by_person` ON `access_record` (`ext_id`,`check_time_seconds`);
--> statement-breakpoint
CREATE INDEX `access_record_passed` ON `access_record` (`id`) WHERE check_result = 0;
--> statement-breakpoint
CREATE INDEX `checkin_unresolved_by_person` ON `checkin_unresolved` (`ext_id`) WHERE ext_id <> '';
--> statement-breakpoint
CREATE INDEX `checkin_unresolved_by_number` ON `checkin_unresolved` (`employee_num`) WHERE employee_num <> '';
--> statement-breakpoint
CREATE INDEX `checkin_unresolved_by_time` ON `checkin_unresolved` (`check_time_seconds`);
