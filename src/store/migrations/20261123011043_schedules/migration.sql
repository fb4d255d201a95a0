CREATE TABLE `day_override` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`date` text NOT NULL,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`what` text NOT NULL,
	`weekday` integer,
	`code` text,
	`reason` text NOT NULL,
	`recorded_at` integer NOT NULL,
	`recorded_by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `employment` (
	`ext_id` text PRIMARY KEY,
	`from_date` text,
	`to_date` text,
	`off_terminals` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leave` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text NOT NULL,
	`from_time` text NOT NULL,
	`to_time` text NOT NULL,
	`kind` text NOT NULL,
	`paid` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text NOT NULL,
	`recorded_at` integer NOT NULL,
	`recorded_by` text NOT NULL,
	`decided_at` integer,
	`decided_by` text
);
--> statement-breakpoint
CREATE TABLE `roster_rule` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`cycle` text NOT NULL,
	`anchor` text NOT NULL,
	`from_date` text NOT NULL,
	`to_date` text,
	`recorded_at` integer NOT NULL,
	`recorded_by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shift_version` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`valid_from` text NOT NULL,
	`plan` text NOT NULL,
	`recorded_at` integer NOT NULL,
	`recorded_by` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `day_override_by_date` ON `day_override` (`date`,`target_kind`,`target_id`);--> statement-breakpoint
CREATE INDEX `employment_by_end` ON `employment` (`to_date`) WHERE off_terminals = 0 AND to_date IS NOT NULL;--> statement-breakpoint
CREATE INDEX `leave_by_person` ON `leave` (`ext_id`,`from_time`);--> statement-breakpoint
CREATE INDEX `leave_by_end` ON `leave` (`to_time`);--> statement-breakpoint
CREATE UNIQUE INDEX `roster_rule_by_target` ON `roster_rule` (`target_kind`,`target_id`,`from_date`);--> statement-breakpoint
CREATE INDEX `shift_version_by_code` ON `shift_version` (`code`,`valid_from`,`id`);