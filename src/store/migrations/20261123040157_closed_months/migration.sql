CREATE TABLE `period` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`month` text NOT NULL,
	`scope_id` text NOT NULL,
	`scope_name` text NOT NULL,
	`revision` integer NOT NULL,
	`state` text NOT NULL,
	`closed_at` integer NOT NULL,
	`closed_by` text NOT NULL,
	`forced` text,
	`time_zone` text NOT NULL,
	`rules` text NOT NULL,
	`hash` text DEFAULT '' NOT NULL,
	`head` text DEFAULT '' NOT NULL,
	`foot` text DEFAULT '' NOT NULL,
	`reopen_reason` text,
	`reopen_asked_at` integer,
	`reopen_asked_by` text,
	`reopened_at` integer,
	`reopened_by` text,
	`checked_at` integer,
	`checked_of` text
);
--> statement-breakpoint
CREATE TABLE `period_change` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`period_id` integer NOT NULL,
	`kind` text NOT NULL,
	`ext_id` text NOT NULL,
	`name` text NOT NULL,
	`date` text NOT NULL,
	`was` text,
	`now` text,
	`noticed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `period_row` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`period_id` integer NOT NULL,
	`ext_id` text NOT NULL,
	`name` text NOT NULL,
	`employee_num` text NOT NULL,
	`departments` text NOT NULL,
	`packed` blob NOT NULL
);
--> statement-breakpoint
ALTER TABLE `correction_item` ADD `work_date` text;--> statement-breakpoint
CREATE UNIQUE INDEX `period_by_month` ON `period` (`month`,`scope_id`,`revision`);--> statement-breakpoint
CREATE UNIQUE INDEX `period_change_by_day` ON `period_change` (`period_id`,`kind`,`ext_id`,`date`);--> statement-breakpoint
CREATE INDEX `period_row_by_period` ON `period_row` (`period_id`,`id`);--> statement-breakpoint
CREATE INDEX `period_row_by_person` ON `period_row` (`ext_id`,`period_id`);